// A host that imports Holdfast speaks the domain's words without a second import.
@_exported import HoldfastDomain
