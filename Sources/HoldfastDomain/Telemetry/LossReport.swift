/// Reports to the server, as an ordinary event, how many events were lost and why: each loss once, whenever the process
/// dies. What has been reported is kept beside the journal; the ledger itself only ever grows.
package struct LossReport: Hashable, Sendable {
    /// The type of the event.
    package static let type = "holdfast.losses"
    /// Under which name the state is kept in the `StateStore`.
    package static let stateName = "telemetry.losses"

    /// A report that may or may not have been appended yet.
    package struct Pending: Hashable, Sendable {
        /// The id of its event: appending it twice is a no-op.
        package var id: EntryID
        /// What the ledger said.
        package var totals: [LossReason: Int]
    }

    /// What has been reported.
    package private(set) var reported: [LossReason: Int] = [:]
    /// The report under way.
    package private(set) var pending: Pending?

    /// A state in which nothing has been reported.
    package init() {}

    /// Begins a report of what is in the ledger and has not been reported; false if there is nothing.
    package mutating func begin(totals: [LossReason: Int], id: EntryID) -> Bool {
        guard pending == nil, !untold(of: totals).isEmpty else { return false }
        pending = Pending(id: id, totals: totals)
        return true
    }

    /// What the pending report says: the counts since the last one, by reason.
    package var payload: PayloadObject? {
        guard let pending else { return nil }
        let counts = untold(of: pending.totals).sorted { $0.key.rawValue < $1.key.rawValue }
        return PayloadObject(counts.map { .init($0.key.rawValue, .integer(Int64($0.value))) })
    }

    /// The pending report is in the journal.
    package mutating func finish() {
        guard let pending else { return }
        reported = pending.totals
        self.pending = nil
    }

    /// A ledger with less than was reported has begun anew, as after a damaged file: then all of it is reported.
    private func untold(of totals: [LossReason: Int]) -> [LossReason: Int] {
        var result: [LossReason: Int] = [:]
        for (reason, total) in totals {
            let told = reported[reason] ?? 0
            let count = total >= told ? total - told : total
            if count > 0 { result[reason] = count }
        }
        return result
    }
}

// Kept as JSON: {"reported":{"overflow":3},"pending":{"id":"…","totals":{"overflow":5}}}
extension LossReport {
    /// The state as bytes.
    package func encoded() throws -> [UInt8] {
        var object: PayloadObject = ["reported": .object(Self.object(reported))]
        if let pending {
            object["pending"] = [
                "id": .string(pending.id.description), "totals": .object(Self.object(pending.totals)),
            ]
        }
        return try PayloadValue.object(object).encoded()
    }

    /// The state that `bytes` were made of; an empty one for anything else, so that a loss is reported twice
    /// rather than never.
    package init(bytes: [UInt8]?) {
        guard let bytes, let value = try? JSONValue.parse(bytes) else { return }
        reported = Self.counts(value["reported"])
        if let text = value["pending"]?["id"]?.stringValue, let id = EntryID(text) {
            pending = Pending(id: id, totals: Self.counts(value["pending"]?["totals"]))
        }
    }

    private static func object(_ counts: [LossReason: Int]) -> PayloadObject {
        let sorted = counts.sorted { $0.key.rawValue < $1.key.rawValue }
        return PayloadObject(sorted.map { .init($0.key.rawValue, .integer(Int64($0.value))) })
    }

    private static func counts(_ value: JSONValue?) -> [LossReason: Int] {
        var result: [LossReason: Int] = [:]
        for member in value?.objectValue?.members ?? [] {
            guard let count = member.value.integerValue, count > 0 else { continue }
            result[LossReason(member.name)] = Int(clamping: count)
        }
        return result
    }
}
