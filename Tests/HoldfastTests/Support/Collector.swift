import HoldfastDomain
import HoldfastInMemory

@testable import Holdfast

/// A server in memory: unpacks every batch, keeps what it took, and misbehaves on demand.
final class Collector: Transport {
    /// What a request gets.
    enum Answer: Sendable {
        case status(Int, [HeaderField] = [])
        /// Nothing comes back, and nothing was taken.
        case lost(TransportError.Code)
        /// The batch was taken, but the answer was lost.
        case lostAfterwards(TransportError.Code)
    }

    /// What a request was.
    struct Batch: Sendable {
        var bodyBytes: Int
        var events: [JSONValue]
        var authorization: String?
    }

    private struct State {
        var answer: @Sendable (Int, Batch) -> Answer
        var batches: [Batch] = []
        var received: [JSONValue] = []
    }

    private let state: Locked<State>
    private let gate: ScriptedTransport

    /// - Parameter answer: Says what request number n, from 0, gets.
    init(answer: @escaping @Sendable (Int, Batch) -> Answer = { _, _ in .status(200) }) {
        state = Locked(State(answer: answer))
        gate = ScriptedTransport()
    }

    func setAnswer(_ answer: @escaping @Sendable (Int, Batch) -> Answer) { state.withLock { $0.answer = answer } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // Answered by the script's transport first, so that a test can hold requests in flight.
        _ = try await gate.send(request)
        return try state.withLock { state in
            let batch = try Self.unpack(request)
            let answer = state.answer(state.batches.count, batch)
            state.batches.append(batch)
            switch answer {
            case .status(let status, let headers):
                if 200...299 ~= status { state.received += batch.events }
                return TransportResponse(status: status, headers: headers)
            case .lost(let code): throw TransportError(code)
            case .lostAfterwards(let code):
                state.received += batch.events
                throw TransportError(code)
            }
        }
    }

    var batches: [Batch] { state.withLock { $0.batches } }
    /// Every event that was taken, in order, repeated ones included.
    var received: [JSONValue] { state.withLock { $0.received } }
    var mostInFlight: Int { gate.mostInFlight }
    func hold() { gate.hold() }
    func release() { gate.release() }
    func arrivals(_ count: Int) async { await gate.arrivals(count) }

    /// The `payload.n` of every event that was taken, but of the package's own.
    var numbers: [Int64] { received.compactMap { $0["payload"]?["n"]?.integerValue } }

    private static func unpack(_ request: TransportRequest) throws -> Batch {
        let body = gunzipStored(request.body)
        let json = try JSONValue.parse(body)
        return Batch(
            bodyBytes: body.count,
            events: json["events"]?.arrayValue ?? json.arrayValue ?? [],
            authorization: request.headers.first { $0.name == "Authorization" }?.value
        )
    }

    /// Takes the stored blocks of `StoredCompressor` apart.
    private static func gunzipStored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 10
        var isLast = false
        while !isLast, index + 5 <= bytes.count {
            isLast = bytes[index] == 1
            let length = Int(bytes[index + 1]) | Int(bytes[index + 2]) << 8
            result += bytes[(index + 5)..<(index + 5 + length)]
            index += 5 + length
        }
        return result
    }
}
