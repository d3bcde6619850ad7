extension AdmissionLedger {
    private static let pageSize = 512

    /// Takes an admission, or an exit, back: one more record, which leaves the ticket's use as it would be without it.
    ///
    /// It searches the journal for the scan and for the ticket's history, so it takes longer the more is stored. It is
    /// not meant for the path of a scan.
    ///
    /// - Returns: The annulment's own record.
    /// - Throws: `GateFailure` `.noSuchAdmission` if there is no such scan or it let nobody through,
    ///   `.alreadyAnnulled`, or `.historyUnreadable` if the ticket's history is not whole; and whatever recording does.
    public func annul(
        _ scanID: EntryID,
        at place: GatePlace,
        now: ClockReading,
        clock: ClockConfidence,
        configurationVersion: Int64?
    ) async throws -> GateRecord {
        guard let annulled = try await find(scanID), let subject = annulled.draft.place?.subject else {
            throw GateFailure(.noSuchAdmission)
        }
        let admission = try await open(annulled)
        guard admission.annuls == nil else { throw GateFailure(.noSuchAdmission) }
        var record = GateRecord(
            scanID: EntryID(random: random),
            place: place,
            at: now,
            clock: clock,
            configurationVersion: configurationVersion
        )
        record.annuls = scanID
        record.direction = admission.direction
        record.ticketID = admission.ticketID
        record.eventID = admission.eventID
        record.zoneID = admission.zoneID
        record.keyID = admission.keyID
        for _ in 0..<Self.mostTries {
            let history = try await history(of: subject)
            let taken = Set(history.compactMap(\.annuls))
            guard !taken.contains(scanID) else { throw GateFailure(.alreadyAnnulled) }
            record.use = TicketUse.replaying(
                history.filter { $0.annuls == nil && $0.scanID != scanID && !taken.contains($0.scanID) }
            )
            let next = SubjectVersion(subject: subject, version: Int64(history.count) + 1)
            switch try await append(record, place: next, keepUntil: annulled.draft.keepUntil) {
            case .appended(let sequence):
                record.sequence = sequence
                return record
            case .duplicate: record.scanID = EntryID(random: random)
            case .conflict, .keyRetired: continue
            }
        }
        throw GateFailure(.contended)
    }

    /// The entry of a scan, looked for from the newest back.
    private func find(_ scanID: EntryID) async throws -> Entry? {
        var end = try await journal.statistics(.gate).lastSequence
        while end > 0 {
            let start = max(0, end - Int64(Self.pageSize))
            let page = try await journal.entries(.gate, after: start, limit: Self.pageSize)
            if let found = page.first(where: { $0.draft.id == scanID }) { return found }
            end = start
        }
        return nil
    }

    /// Every record of a ticket's history, in order; its places are 1, 2, 3 … without a hole.
    private func history(of subject: Subject) async throws -> [GateRecord] {
        guard let newest = try await journal.latest(subject), let latest = newest.draft.place?.version else {
            return []
        }
        guard latest > 1 else { return [try await open(newest)] }
        var history: [(version: Int64, record: GateRecord)] = []
        var last: Int64 = 0
        while history.count < latest {
            let page = try await journal.entries(.gate, after: last, limit: Self.pageSize)
            guard let end = page.last?.sequence else { break }
            last = end
            for entry in page {
                guard let place = entry.draft.place, place.subject == subject, place.version <= latest else { continue }
                history.append((place.version, try await open(entry)))
            }
        }
        history.sort { $0.version < $1.version }
        guard history.map(\.version).elementsEqual(1...latest) else { throw GateFailure(.historyUnreadable) }
        return history.map(\.record)
    }
}
