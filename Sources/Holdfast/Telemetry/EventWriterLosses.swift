import HoldfastDomain

extension EventWriter {
    /// Appends an event that tells what was lost since the last one, if anything was.
    func reportLosses(_ totals: [LossReason: Int]) async {
        guard policy.reportsLosses else { return }
        await turn.take()
        defer { turn.pass() }
        do {
            var report = try await knownLossReport()
            if report.pending == nil {
                guard report.begin(totals: totals, id: EntryID(random: ports.random)) else { return }
                try await ports.journal.setValue(try report.encoded(), named: LossReport.stateName)
                lossReport = report
            }
            guard let event = try event(of: report) else { return }
            try await finishErasure()
            try await append([event])
            report.finish()
            try await ports.journal.setValue(try report.encoded(), named: LossReport.stateName)
            lossReport = report
        } catch {
            // Begun but not finished: it is finished the next time, under the same id.
            ports.diagnostics.record(DiagnosticEvent(.storeFailed))
        }
    }

    private func knownLossReport() async throws -> LossReport {
        if let lossReport { return lossReport }
        return LossReport(bytes: try await ports.journal.value(named: LossReport.stateName))
    }

    private func event(of report: LossReport) throws -> BufferedEvent? {
        guard let pending = report.pending, let payload = report.payload else { return nil }
        let now = ports.clock.now().wall
        let event = TelemetryEvent(
            id: pending.id,
            timestamp: now,
            type: LossReport.type,
            payload: payload,
            sessionID: buffer.session
        )
        return BufferedEvent(id: pending.id, timestamp: now, json: try event.encoded(limits: policy.limits))
    }
}
