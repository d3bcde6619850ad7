import HoldfastKit

/// How the last request of a command ended: what a person wants to know when something is in the way.
actor LastAttempt {
    private var failure: AttemptFailure?

    /// Notes why a request failed; nil if it did not.
    func ended(with failure: AttemptFailure?) { self.failure = failure }

    /// What led to an obstacle; nil where no request did.
    func cause(of obstacle: DeliveryObstacle?) -> AttemptFailure? {
        let results: [DeliveryObstacle] = [
            .backoff, .serverWait, .unauthorised, .redirected, .refused, .invalidRequest,
        ]
        return obstacle.map(results.contains) == true ? failure : nil
    }
}

/// Sends over another transport, and notes how each request ended.
struct NotingTransport: Transport {
    /// What sends.
    let base: any Transport
    /// What the answers mean.
    let answers: AnswerTable
    /// Where it is noted.
    let attempt: LastAttempt

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let response = try await base.send(request)
            let isTaken = answers.verdict(of: response, now: PlatformClock().now().wall) == .delivered
            await attempt.ended(with: isTaken ? nil : .answer(status: response.status))
            return response
        } catch {
            await attempt.ended(with: .noAnswer((error as? TransportError) ?? TransportError(.connectionFailed)))
            throw error
        }
    }
}
