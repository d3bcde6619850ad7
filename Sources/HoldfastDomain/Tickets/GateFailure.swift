/// What kept a gate from recording, reading its history or checking a signature. It holds nothing private.
public struct GateFailure: Error, Hashable, Sendable {
    /// The kind of failure; open, so that kinds can be added.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind.
        public let rawValue: String
        /// A kind of this name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// A record of this ticket's use cannot be opened any more.
        public static let historyUnreadable = Code("history_unreadable")
        /// Others kept winning the same ticket's next place.
        public static let contended = Code("contended")
        /// There is no such scan, or it admitted nobody.
        public static let noSuchAdmission = Code("no_such_admission")
        /// The scan has been annulled already.
        public static let alreadyAnnulled = Code("already_annulled")
        /// Something failed that has no name of its own.
        public static let other = Code("other")
    }

    /// The kind: one of `Code`, or `vault_`, `store_` or `crypto_` before the name of the port's own error.
    public var code: Code
    /// The platform's own number, if there is one.
    public var platformCode: Int?

    /// A failure of this kind.
    public init(_ code: Code, platformCode: Int? = nil) {
        self.code = code
        self.platformCode = platformCode
    }

    /// The failure that `error` is to a gate.
    public init(_ error: any Error) {
        switch error {
        case let failure as GateFailure: self = failure
        case let error as KeyVaultError:
            self.init(Code("vault_\(error.code.rawValue)"), platformCode: error.platformCode)
        case let error as QueueStoreError:
            self.init(Code("store_\(error.code.rawValue)"), platformCode: error.platformCode)
        case let error as CryptoError:
            self.init(Code("crypto_\(error.code.rawValue)"), platformCode: error.platformCode)
        default: self.init(.other)
        }
    }
}

extension GateFailure: CustomStringConvertible {
    /// The kind and the platform's number.
    public var description: String {
        platformCode.map { "gate: \(code.rawValue) (\($0))" } ?? "gate: \(code.rawValue)"
    }
}
