import HoldfastDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns any `Encodable` value into a telemetry payload.
///
/// Integers keep their digits. `Decimal` is exact or refused. `Date` becomes RFC 3339 text in UTC with milliseconds,
/// `Data` base64, `URL` and `UUID` (lower case) text; keys are taken as they are.
public struct PayloadEncoder: Sendable {
    /// An encoder; it has no choices to make.
    public init() {}

    /// The payload that `value` encodes itself as.
    ///
    /// - Throws: `TelemetryError`: `nonFiniteNumber`, `inexactNumber`, `tooDeep` (which also ends a graph that
    ///   contains itself), `notAnObject`, or `unencodable` where the value threw an error of its own.
    public func encode(_ value: some Encodable) throws -> PayloadObject {
        let node = PayloadNode()
        do {
            try node.encode(value, at: [])
        } catch let error as TelemetryError {
            throw error
        } catch {
            // The value's own error may quote the value, so it goes no further.
            throw TelemetryError(.unencodable)
        }
        guard case .object(let object) = try node.value() else { throw TelemetryError(.notAnObject) }
        return object
    }
}

/// A place in the payload that is being built; whoever holds it can fill it later, as super-encoders do.
final class PayloadNode {
    private enum Content {
        case empty
        case scalar(PayloadValue)
        case array([PayloadNode])
        case object(names: [String], nodes: [String: PayloadNode])
    }

    private var content = Content.empty
    private let depth: Int

    init(depth: Int = 0) { self.depth = depth }

    /// What has been built; a place that nobody filled is an empty object, as Foundation's encoders have it.
    func value() throws -> PayloadValue {
        try checkDepth()
        switch content {
        case .empty: return .object(PayloadObject())
        case .scalar(let value): return value
        case .array(let nodes): return .array(try nodes.map { try $0.value() })
        case .object(let names, let nodes):
            return .object(
                PayloadObject(
                    try names.compactMap { name in
                        try nodes[name].map { .init(name, try $0.value()) }
                    }
                )
            )
        }
    }

    var count: Int {
        guard case .array(let nodes) = content else { return 0 }
        return nodes.count
    }

    func set(_ value: PayloadValue) { content = .scalar(value) }

    func becomeArray() {
        guard case .array = content else { return content = .array([]) }
    }

    func becomeObject() {
        guard case .object = content else { return content = .object(names: [], nodes: [:]) }
    }

    func append() -> PayloadNode {
        let node = PayloadNode(depth: depth + 1)
        guard case .array(var nodes) = content else { return node }
        content = .empty  // so that the array is not copied
        nodes.append(node)
        content = .array(nodes)
        return node
    }

    func member(_ name: String) -> PayloadNode {
        let node = PayloadNode(depth: depth + 1)
        guard case .object(var names, var nodes) = content else { return node }
        content = .empty
        if nodes.updateValue(node, forKey: name) == nil { names.append(name) }
        content = .object(names: names, nodes: nodes)
        return node
    }

    func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
        try checkDepth()
        if let scalar = try PayloadScalar.value(of: value) {
            set(scalar)
        } else {
            try value.encode(to: PayloadNodeEncoder(node: self, codingPath: path))
        }
    }

    /// Ends a graph that contains itself. A scalar in the deepest container still has its place.
    private func checkDepth() throws {
        guard depth <= TelemetryLimits.maxDepth else { throw TelemetryError(.tooDeep) }
    }
}

/// The values that are written in a way of their own rather than as they encode themselves.
enum PayloadScalar {
    static func value(of value: some Encodable) throws -> PayloadValue? {
        switch value {
        case let date as Date: return try text(of: date)
        case let data as Data: return .string(data.base64EncodedString())
        case let url as URL: return .string(url.absoluteString)
        case let uuid as UUID: return .string(uuid.uuidString.lowercased())
        case let decimal as Decimal: return try number(decimal)
        default: return nil
        }
    }

    static func number(_ double: Double) throws -> PayloadValue {
        guard double.isFinite else { throw TelemetryError(.nonFiniteNumber) }
        return .double(double)
    }

    static func integer(_ value: some BinaryInteger) throws -> PayloadValue {
        if let integer = Int64(exactly: value) { return .integer(integer) }
        guard let unsigned = UInt64(exactly: value) else { throw TelemetryError(.inexactNumber) }
        return .unsigned(unsigned)
    }

    /// A whole number as it is; any other as the double whose digits are the decimal's own, or not at all.
    private static func number(_ decimal: Decimal) throws -> PayloadValue {
        guard decimal.isFinite else { throw TelemetryError(.nonFiniteNumber) }
        let text = decimal.description
        if let integer = Int64(text) { return .integer(integer) }
        if let unsigned = UInt64(text) { return .unsigned(unsigned) }
        guard let double = Double(text), double.isFinite, Decimal(string: double.description) == decimal else {
            throw TelemetryError(.inexactNumber)
        }
        return .double(double)
    }

    private static func text(of date: Date) throws -> PayloadValue {
        guard date.timeIntervalSince1970.isFinite else { throw TelemetryError(.nonFiniteNumber) }
        let timestamp = Timestamp(date)
        let text = timestamp.rfc3339
        // Years that four digits cannot tell are refused rather than brought into range.
        guard Timestamp(rfc3339: text) == timestamp else { throw TelemetryError(.inexactNumber) }
        return .string(text)
    }
}
