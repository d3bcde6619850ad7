/// A value in a telemetry payload: any JSON value, written as a literal or made by hand.
public typealias PayloadValue = JSONValue

/// A telemetry payload: the members of a JSON object, in order.
public typealias PayloadObject = JSONObject

/// One thing that happened: what telemetry takes, keeps and delivers.
public struct TelemetryEvent: Hashable, Sendable {
    /// The permanent id, by which a server dedups.
    public var id: EntryID
    /// When it happened, by the wall clock.
    public var timestamp: Timestamp
    /// What happened, such as `screen.view`: 1 to `TelemetryLimits.maxTypeBytes` bytes.
    public var type: String
    /// What is known of it.
    public var payload: PayloadObject
    /// The session it belongs to.
    public var sessionID: String

    /// An event of these parts; `encoded` checks them.
    public init(id: EntryID, timestamp: Timestamp, type: String, payload: PayloadObject, sessionID: String) {
        self.id = id
        self.timestamp = timestamp
        self.type = type
        self.payload = payload
        self.sessionID = sessionID
    }

    /// The event exactly as it goes over the wire, in UTF-8:
    /// `{"id":…,"ts":…,"type":…,"payload":{…},"sessionId":…}`. It is encoded once; batches only join such bytes.
    ///
    /// - Throws: `TelemetryError` for what cannot be said in JSON, or not within `limits`.
    public func encoded(limits: TelemetryLimits = TelemetryLimits()) throws -> [UInt8] {
        guard !type.isEmpty else { throw TelemetryError(.emptyType) }
        guard type.utf8.count <= TelemetryLimits.maxTypeBytes else { throw TelemetryError(.typeTooLong) }
        guard !sessionID.isEmpty, sessionID.utf8.count <= TelemetryLimits.maxSessionBytes else {
            throw TelemetryError(.invalidSession)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes.append(literal: #"{"id":""#)
        id.appendText(to: &bytes)
        bytes.append(literal: #"","ts":""#)
        bytes += timestamp.rfc3339.utf8
        bytes.append(literal: #"","type":"#)
        JSONWriter.append(type, to: &bytes)
        bytes.append(literal: #","payload":"#)
        try append(payload, to: &bytes)
        bytes.append(literal: #","sessionId":"#)
        JSONWriter.append(sessionID, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        guard bytes.count <= limits.maxBodyBytes - limits.body.framing.overhead else {
            throw TelemetryError(.tooLarge)
        }
        return bytes
    }

    private func append(_ payload: PayloadObject, to bytes: inout [UInt8]) throws {
        let value = PayloadValue.object(payload)
        do {
            try value.write(into: &bytes, limits: JSONLimits(maxDepth: TelemetryLimits.maxDepth))
        } catch let error as JSONError {
            throw TelemetryError(error.code == .tooDeep ? .tooDeep : .nonFiniteNumber)
        }
        guard !value.repeatsAName else { throw TelemetryError(.duplicateMember) }
    }
}

extension TelemetryEvent: CustomStringConvertible {
    /// Which event it is, and nothing of what happened.
    public var description: String { "TelemetryEvent(\(id))" }
}

extension [UInt8] {
    /// Appends a literal's own bytes, without a string in between.
    fileprivate mutating func append(literal: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }
}

extension JSONValue {
    /// Whether an object in it has two members of one name: parsers differ in which they keep, so neither is sent.
    fileprivate var repeatsAName: Bool {
        switch self {
        case .array(let elements): return elements.contains { $0.repeatsAName }
        case .object(let object):
            let members = object.members
            if members.count > 16 {
                var names = Set<[UInt8]>(minimumCapacity: members.count)
                if members.contains(where: { !names.insert(Array($0.name.utf8)).inserted }) { return true }
            } else {
                for (index, member) in members.enumerated() {
                    for earlier in members[..<index] where earlier.name.utf8.count == member.name.utf8.count {
                        if earlier.name.utf8.elementsEqual(member.name.utf8) { return true }
                    }
                }
            }
            return members.contains { $0.value.repeatsAName }
        default: return false
        }
    }
}
