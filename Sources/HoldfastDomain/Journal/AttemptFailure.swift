/// Why a server did not take a batch that was sent to it, for a person to read. What becomes of the batch is decided
/// elsewhere.
public enum AttemptFailure: Hashable, Sendable {
    /// There was no whole answer; whether the batch arrived is not known.
    case noAnswer(TransportError)
    /// It answered with this status. One from 200 to 299 came with something else than the agreed answer.
    case answer(status: Int)
}
