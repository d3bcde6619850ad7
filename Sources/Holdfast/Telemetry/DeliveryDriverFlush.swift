import HoldfastDomain

/// Who waits for what a flush, or time in the background, comes to.
struct FlushWaiter {
    /// What had been delivered before.
    let before: DeliveryReport
    /// When the time in the background ends; nil for a flush.
    let end: Interval?
    let continuation: CheckedContinuation<FlushReport, Never>

    /// Whether there is more to wait for. Time in the background is precious: a short wait is waited out.
    func waits(for plan: DeliveryPlan, at uptime: Interval) -> Bool {
        guard let end, uptime < end, let wakeUp = plan.wakeUp else { return false }
        return wakeUp < end
    }
}

// MARK: - Flushing and the background

extension DeliveryDriver {
    func flush() async -> FlushReport {
        await look()
        scheduler.flushRequested()
        return await wait(until: nil)
    }

    func becameActive() async {
        move += 1
        scheduler.becameActive()
        await writer.setGathers(true)
        bell.ring()
    }

    /// Stores what is in memory, then works in the background until `end`, nothing is left, or nothing can be done; then
    /// nothing is under way.
    func work(until end: Interval, isLeaving: Bool) async -> FlushReport {
        move += 1
        let move = move
        await writer.setGathers(false)
        await writer.commit()
        await look()
        // Who has come back meanwhile is in the foreground, and stays there.
        guard move == self.move else { return FlushReport(delivery: DeliveryReport(), status: snapshot()) }
        scheduler.movedToBackground(until: end, isLeaving: isLeaving)
        let alarm = Task {
            // Cancelled when the work ended before its time.
            guard (try? await sleeper.sleep(for: end - ports.clock.now().uptime)) != nil else { return }
            endWork(of: move)
        }
        let report = await withTaskCancellationHandler {
            await wait(until: end)
        } onCancel: {
            Task { await endWork(of: move) }
        }
        alarm.cancel()
        endWork(of: move)
        return report
    }

    private func endWork(of move: Int) {
        guard move == self.move else { return }
        scheduler.movedToBackground(until: nil, isLeaving: false)
        attempt?.cancel()
        bell.ring()
    }

    private func wait(until end: Interval?) async -> FlushReport {
        await withCheckedContinuation { continuation in
            waiters.append(FlushWaiter(before: view.delivered, end: end, continuation: continuation))
            if isStopped { answerAll() }
            bell.ring()
        }
    }

    /// Answers those who wait, once nothing more is to be done now.
    func answer(_ plan: DeliveryPlan, at uptime: Interval) {
        if case .now = plan { return }
        scheduler.flushEnded()
        answer { !$0.waits(for: plan, at: uptime) }
    }

    /// Answers everybody who waits, as there is nothing more to come.
    func answerAll() { answer { _ in true } }

    private func answer(where isDone: (FlushWaiter) -> Bool) {
        for waiter in waiters where isDone(waiter) {
            let report = FlushReport(delivery: view.delivered.since(waiter.before), status: snapshot())
            waiter.continuation.resume(returning: report)
        }
        waiters.removeAll(where: isDone)
    }
}

extension DeliveryReport {
    /// What of this came after `earlier`.
    fileprivate func since(_ earlier: DeliveryReport) -> DeliveryReport {
        DeliveryReport(
            delivered: delivered - earlier.delivered,
            duplicates: duplicates - earlier.duplicates,
            deadLettered: deadLettered.merging(earlier.deadLettered) { $0 - $1 }.filter { $0.value > 0 },
            retried: retried - earlier.retried
        )
    }
}
