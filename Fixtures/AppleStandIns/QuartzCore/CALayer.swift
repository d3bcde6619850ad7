import Foundation

/// A stand-in for what a view draws with.
open class CALayer: NSObject {
    public var frame = CGRect.zero
    public private(set) var sublayers: [CALayer]?
    public override init() {}
    public func addSublayer(_ layer: CALayer) { sublayers = (sublayers ?? []) + [layer] }
}
