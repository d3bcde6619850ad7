import HoldfastDomain

/// Carries what can still be read of a damaged journal into a new one.
///
/// Every entry keeps its stream, its sequence and its state. What a stream's row says was there, and what was found,
/// tells how much was lost.
struct Salvage {
    /// The damaged file; nil if it cannot even be opened.
    let source: Connection?
    /// The streams as they were last known in this process, for when the file no longer tells.
    let known: [StreamRow]
    let target: JournalFile

    /// Copies everything, in one transaction.
    ///
    /// - Returns: How many entries are known to be lost.
    func run() throws -> Int {
        try target.write {
            var lost = 0
            for (stream, isWhole) in streams { lost += try copy(stream, isWhole: isWhole) }
            try copyValues()
            return lost
        }
    }

    /// - Parameter isWhole: Whether the stream's row could be read, rather than only its name.
    private func copy(_ old: StreamRow, isWhole: Bool) throws -> Int {
        var new = StreamRow(number: old.number, name: old.name)
        try target.connection.run(.restoreStream) {
            $0.bind(old.number)
            $0.bind(old.name.rawValue)
        }
        var uncounted: Int64 = 0
        var highest = old.storedThrough
        for table in SalvageWalk.Table.allCases {
            guard let source else { break }
            try SalvageWalk(source: source, table: table, stream: old).run { found in
                guard try target.restore(found, in: &new) else { return }
                guard table == .queued else { return }
                if found.entry.sequence > old.storedThrough { uncounted += 1 }
                highest = max(highest, found.entry.sequence)
            }
        }
        new.resume(after: old)
        try target.connection.run(.setRetry) {
            $0.bind(new.number)
            $0.bind(old.retry)
        }
        target.update(new)
        // Entries that the stored row does not count are all queued: a number that is missing among them is a loss.
        let missing = isWhole ? max(0, highest - old.storedThrough - uncounted) : 0
        let lostQueued = max(0, old.queued - (new.queued - uncounted)).addingSaturated(missing)
        let lostSettled = max(0, old.delivered + old.deadLettered - new.delivered - new.deadLettered)
        try target.addLosses(ledger(of: old), to: new)
        try target.addLosses([.corruption: Int(clamping: lostQueued)], to: new)
        return Int(clamping: lostQueued.addingSaturated(lostSettled))
    }

    /// Every stream of which anything is known: from its row, else from the index of names, else from memory.
    private var streams: [(row: StreamRow, isWhole: Bool)] {
        var found: [Int64: StreamRow] = [:]
        var whole: Set<Int64> = []
        for stream in known { found[stream.number] = StreamRow(number: stream.number, name: stream.name) }
        read(.streamNames) { row in
            let name = StreamName(try row.text())
            let number = try row.number()
            found[number] = StreamRow(number: number, name: name)
        }
        read(.streams) { row in
            let stream = try StreamRow(&row)
            found[stream.number] = stream
            whole.insert(stream.number)
        }
        for stream in known { found[stream.number]?.resume(after: stream) }
        return found.values.sorted { $0.number < $1.number }.map { ($0, whole.contains($0.number)) }
    }

    private func ledger(of stream: StreamRow) -> [LossReason: Int] {
        var losses: [LossReason: Int] = [:]
        read(.losses, { $0.bind(stream.number) }) { row in
            losses[LossReason(try row.text())] = Int(clamping: try row.number())
        }
        return losses
    }

    private func copyValues() throws {
        var values: [(name: String, value: [UInt8])] = []
        read(.values) { row in values.append((try row.text(), try row.bytes())) }
        for (name, value) in values {
            try target.connection.run(.setValue) {
                $0.bind(name)
                $0.bind(value)
            }
        }
    }

    /// Reads rows for as long as they can be read, passing over those that cannot be understood.
    private func read(
        _ sql: SQL,
        _ bind: (inout Bindings) -> Void = { _ in },
        _ body: (inout Row) throws -> Void
    ) {
        // Where the damage is, reading ends; what was read until then is kept.
        try? source?.rows(sql, bind) { row in
            try? body(&row)
            return true
        }
    }
}

extension JournalFile {
    /// Stores an entry of a damaged file under its old key; false if another has its id or its place.
    fileprivate func restore(_ found: SalvageWalk.Found, in stream: inout StreamRow) throws -> Bool {
        let (draft, key) = (found.entry.draft, stream.key(found.entry.sequence))
        guard try connection.first(.identityKey, { $0.bind(draft.id) }, { _ in true }) == nil else { return false }
        if let place = draft.place {
            let bind: (inout Bindings) -> Void = {
                $0.bind(place.subject.bytes)
                $0.bind(place.version)
            }
            guard try connection.first(.historyPlace, bind, { _ in true }) == nil else { return false }
            try connection.run(.insertHistory) {
                bind(&$0)
                $0.bind(key.rawValue)
            }
        }
        try connection.run(.insertIdentity) {
            $0.bind(draft.id)
            $0.bind(key.rawValue)
        }
        try connection.run(.insertQueued) { $0.bind(draft, key: key) }
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
        return true
    }
}
