// A host that takes a ready composition needs one import only.
@_exported import Holdfast
