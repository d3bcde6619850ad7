import HoldfastDomain

/// Carries what can still be read of a damaged journal into a new one.
///
/// Every entry keeps its stream, its sequence and its state. What a stream's row says was there, what the indexes still
/// name, and what was found, tell how much was lost at least.
struct Salvage {
    /// What the damaged file can be read from, the best first: itself, or a copy, or both, each of which may have rows
    /// that the other lacks; none if it cannot even be opened.
    let sources: [Connection]
    /// The streams as they were last known in this process, for when the file no longer tells.
    let known: [StreamRow]
    let target: JournalFile

    /// What was carried over of one stream.
    private struct Copy {
        /// What the damaged file says of it; only its name and number where it says no more.
        let old: StreamRow
        var new: StreamRow
        var damage = SalvageWalk.Damage()
    }

    /// Copies everything, in one transaction.
    ///
    /// - Returns: How many entries are lost, as far as that can be known.
    func run() throws -> Int {
        try target.write {
            let copies = try streams.map(copy)
            let missing = try missing()
            var losses = try copies.map { try finish($0, missing[$0.old.number] ?? []) }
            // Behind the last entry that anything tells of there was another page, and no page is empty.
            if losses.allSatisfy({ $0 == 0 }), let torn = copies.lastIndex(where: { $0.damage.stretches > 0 }) {
                try target.addLosses([.corruption: 1], to: copies[torn].new)
                losses[torn] = 1
            }
            try copyValues()
            let lost = losses.reduce(0, +)
            for (copy, own) in zip(copies, losses) where own > 0 || lost == 0 { try note(own, of: copy.old.name) }
            return lost
        }
    }

    private func copy(_ old: StreamRow) throws -> Copy {
        var copy = Copy(old: old, new: StreamRow(number: old.number, name: old.name))
        try target.connection.run(.restoreStream) {
            $0.bind(old.number)
            $0.bind(old.name.rawValue)
        }
        var damages: [SalvageWalk.Damage] = []
        for source in sources {
            damages.append(SalvageWalk.Damage())
            for table in SalvageWalk.Table.allCases {
                let damage = try SalvageWalk(source: source, table: table, stream: old).run { found in
                    try target.restore(found, in: &copy.new)
                }
                damages[damages.count - 1] = damages[damages.count - 1] + damage
            }
        }
        // What one source lacks, another may have had.
        copy.damage.rows = try Set(damages.flatMap(\.rows)).filter { try !target.has(old.key($0)) }
        copy.damage.stretches = damages.map(\.stretches).min() ?? 0
        return copy
    }

    /// Stores a stream's row and ledger once its entries are there.
    private func finish(_ copy: Copy, _ missing: Set<Int64>) throws -> Int {
        let old = copy.old
        var new = copy.new
        let lost = SalvageLoss(old: old, new: new, damage: copy.damage, missing: missing)
        new.resume(after: old)
        new.skip(through: lost.highest)
        try target.connection.run(.setRetry) {
            $0.bind(new.number)
            $0.bind(old.retry)
        }
        target.update(new)
        try target.addLosses(ledger(of: old), to: new)
        try target.addLosses([.corruption: Int(clamping: lost.queued)], to: new)
        return Int(clamping: lost.all)
    }

    /// The sequences that the indexes still name, but of which nothing was found, by the streams' numbers. Where the damage
    /// is, reading ends; so each index is read from both ends.
    private func missing() throws -> [Int64: Set<Int64>] {
        var missing: [Int64: Set<Int64>] = [:]
        let indexes = [
            "history ORDER BY subject, version", "history ORDER BY subject DESC, version DESC", "identity ORDER BY id",
            "identity ORDER BY id DESC",
        ]
        for source in sources {
            for index in indexes {
                try source.eachReadable("SELECT key FROM \(index)") { row in
                    // A number that no entry can have is damage too.
                    guard let key = try? EntryKey(stored: try row.number()), try !target.has(key) else { return }
                    missing[key.stream, default: []].insert(key.sequence)
                }
            }
        }
        return missing
    }

    /// Every stream of which anything is known: from its row, else from the index of names, else from memory.
    private var streams: [StreamRow] {
        var found: [Int64: StreamRow] = [:]
        for stream in known { found[stream.number] = StreamRow(number: stream.number, name: stream.name) }
        read(.streamNames) { row in
            let name = StreamName(try row.text())
            let number = try row.number()
            found[number] = StreamRow(number: number, name: name)
        }
        read(.streams) { row in
            let stream = try StreamRow(&row)
            if let other = found[stream.number], other.isStored, other.revision > stream.revision { return }
            found[stream.number] = stream
        }
        for stream in known { found[stream.number]?.resume(after: stream) }
        return found.values.sorted { $0.number < $1.number }
    }

    private func ledger(of stream: StreamRow) -> [LossReason: Int] {
        var losses: [LossReason: Int] = [:]
        read(.losses, { $0.bind(stream.number) }) { row in
            let (reason, count) = (LossReason(try row.text()), Int(clamping: try row.number()))
            losses[reason] = max(losses[reason] ?? count, count)
        }
        return losses
    }

    /// Adds to the note on what damage has taken from a stream.
    private func note(_ lost: Int, of stream: StreamName) throws {
        let name = JournalDamage.noteName(of: stream)
        let earlier = try target.connection.first(.value, { $0.bind(name) }, { JournalDamage(note: try $0.bytes()) })
        let sum = (earlier.flatMap { $0 }?.atLeast ?? 0).addingReportingOverflow(lost)
        try set(JournalDamage(atLeast: sum.overflow ? .max : sum.partialValue).note, named: name)
    }

    private func copyValues() throws {
        var values: [(name: String, value: [UInt8])] = []
        read(.values) { row in values.append((try row.text(), try row.bytes())) }
        for (name, value) in values { try set(value, named: name) }
    }

    private func set(_ value: [UInt8], named name: String) throws {
        try target.connection.run(.setValue) {
            $0.bind(name)
            $0.bind(value)
        }
    }

    /// Reads each source's rows, the best source's last, for as long as they can be read, passing over those that cannot
    /// be understood.
    private func read(
        _ sql: SQL,
        _ bind: (inout Bindings) -> Void = { _ in },
        _ body: (inout Row) throws -> Void
    ) {
        for source in sources.reversed() {
            // Where the damage is, reading ends; what was read until then is kept.
            try? source.rows(sql, bind) { row in
                try? body(&row)
                return true
            }
        }
    }
}

extension JournalFile {
    /// Whether an entry has this key.
    fileprivate func has(_ key: EntryKey) throws -> Bool {
        for sql in [SQL.queuedHead, .settledHead] {
            if try connection.first(sql, { $0.bind(key.rawValue) }, { _ in true }) != nil { return true }
        }
        return false
    }

    /// Stores an entry of a damaged file under its old key, unless another has its id or its place.
    fileprivate func restore(_ found: SalvageWalk.Found, in stream: inout StreamRow) throws {
        let (draft, key) = (found.entry.draft, stream.key(found.entry.sequence))
        guard try connection.first(.identityKey, { $0.bind(draft.id) }, { _ in true }) == nil else { return }
        if let place = draft.place {
            let bind: (inout Bindings) -> Void = {
                $0.bind(place.subject.bytes)
                $0.bind(place.version)
            }
            guard try connection.first(.historyPlace, bind, { _ in true }) == nil else { return }
            try connection.run(.insertHistory) {
                bind(&$0)
                $0.bind(key.rawValue)
            }
        }
        try connection.run(.insertIdentity) {
            $0.bind(draft.id)
            $0.bind(key.rawValue)
        }
        try insert(draft, at: key)
        let head = EntryHead(draft, key: key)
        stream.restore(head)
        switch found.entry.state {
        case .queued:
            try connection.run(.setNotBefore) {
                $0.bind(key.rawValue)
                $0.bind(found.notBefore?.milliseconds)
            }
        case .delivered: try move(head, to: .delivered, in: &stream)
        case .deadLettered(let reason, let note):
            try move(head, to: .deadLettered, reason: reason, note: note, in: &stream)
        }
    }
}
