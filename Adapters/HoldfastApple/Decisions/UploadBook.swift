import HoldfastDomain

/// Keeps book of background uploads: which run, who waits for them, and which answers nobody has asked for yet.
///
/// An upload is known by a name that follows from what is sent, so that after a restart the same request finds the
/// upload that an earlier process began, or its answer.
struct UploadBook<Waiter> {
    /// How many answers are kept for somebody to ask for; the oldest are forgotten, and what they answered is sent again.
    static var capacity: Int { 32 }

    /// What a request comes to.
    enum Entry: Equatable {
        /// The answer has come before.
        case answered(TransportResponse)
        /// It is on its way: wait.
        case running
        /// It is to be sent.
        case new
    }

    private struct Upload {
        var exchange: HTTPExchange
        var waiters: [Waiter] = []
    }

    private let bodyLimit: Int
    private var uploads: [String: Upload] = [:]
    private var answers: [(name: String, answer: TransportResponse)] = []

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// The names of what is on its way.
    var running: Set<String> { Set(uploads.keys) }

    /// How many wait for an answer.
    var waiting: Int { uploads.values.reduce(0) { $0 + $1.waiters.count } }

    /// Somebody sends the request of this name. Unless it is answered, they wait from now on.
    mutating func send(_ name: String, _ waiter: Waiter) -> Entry {
        if let index = answers.firstIndex(where: { $0.name == name }) {
            return .answered(answers.remove(at: index).answer)  // asked for once; the next request is a new one
        }
        let isRunning = uploads[name] != nil
        found(name)
        uploads[name]?.waiters.append(waiter)
        return isRunning ? .running : .new
    }

    /// An upload of this name is on its way, whoever began it.
    mutating func found(_ name: String) {
        if uploads[name] == nil { uploads[name] = Upload(exchange: HTTPExchange(bodyLimit: bodyLimit)) }
    }

    /// A piece of an answer's body has come. What is beyond the limit is dropped.
    mutating func receive(_ piece: some Collection<UInt8>, for name: String) {
        found(name)
        _ = uploads[name]?.exchange.receive(piece)
    }

    /// An upload has ended.
    ///
    /// An acknowledgement that nobody waits for is kept until somebody asks; anything else is not worth keeping, for
    /// sending the same again is always safe and shows how things are now.
    ///
    /// - Parameters:
    ///   - head: The answer's status and headers, if there is one.
    ///   - urlError: The number of a `URLError`, if there is one.
    /// - Returns: Who waited, and what to tell them.
    mutating func end(
        _ name: String,
        head: TransportResponse?,
        urlError: Int?
    ) -> (waiters: [Waiter], result: Result<TransportResponse, any Error>) {
        found(name)
        guard var upload = uploads.removeValue(forKey: name) else {
            return ([], .failure(TransportError(.invalidResponse)))
        }
        if let head { upload.exchange.receive(head: head) }
        let result = Result<TransportResponse, any Error> { try upload.exchange.finish(urlError: urlError) }
        if upload.waiters.isEmpty, let answer = try? result.get(), (200..<300).contains(answer.status) {
            answers.append((name, answer))
            if answers.count > Self.capacity { answers.removeFirst() }
        }
        return (upload.waiters, result)
    }
}
