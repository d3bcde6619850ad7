import HoldfastDomain

extension TicketGate {
    /// Puts a key configuration in force, durably and in one step: JSON, or its signed compact form.
    ///
    /// The same configuration again changes nothing and is no error. Whatever is thrown, the one in force stays.
    ///
    /// - Throws: `ConfigurationError` with what is wrong and where; `KeyVaultError`, `CryptoError` or
    ///   `QueueStoreError` when it could not be stored.
    @discardableResult
    public func install(configuration bytes: [UInt8]) async throws -> KeyConfiguration {
        // Taken before the installation: at worst the next refresh reads what is in force once more.
        let generation = try await shelf.generation()
        do {
            let installed = try await shelf.install(bytes, signedBy: policy.configurationKey, now: ports.clock.now())
            adopt(installed, generation: generation)
            // It is in force, whether or not the old ones are gone: keeping house removes them too.
            try? await shelf.clear(now: ports.clock.now())
            return installed.configuration
        } catch let error as ConfigurationError {
            // Older than one that another process has installed: better to know that one now than later.
            _ = try? await refreshConfiguration()
            throw error
        }
    }

    /// Checks whether another process has installed a configuration, and uses it from then on.
    ///
    /// It costs one small read where nothing has changed, so it may be called before every scan. Every half minute it
    /// also follows another process's server time and sealing keys.
    ///
    /// - Returns: Whether there was a new configuration.
    /// - Throws: `KeyVaultError` or `QueueStoreError` when it could not be read; the one in force stays.
    @discardableResult
    public func refreshConfiguration() async throws -> Bool {
        let uptime = ports.clock.now().uptime
        let isDue = state.withLock { uptime - $0.lastFollowed >= .seconds(30) }
        let isNew = try await followConfiguration(again: isDue)
        if isDue {
            state.withLock { $0.lastFollowed = uptime }
            if let anchor = try await storedAnchor() { state.withLock { $0.witness.anchor = anchor } }
            try await followVault()
            _ = try await journalLoss()
        }
        return isNew
    }

    /// - Parameter again: Whether to try one again that could not be opened: its key may have been restored, or another
    ///   process may have installed it anew.
    private func followConfiguration(again: Bool) async throws -> Bool {
        let generation = try await shelf.generation()
        let isKnown = state.withLock { state in
            state.rules.generation == generation || (!again && state.unreadable?.generation == generation)
        }
        guard !isKnown else { return false }
        if generation < state.withLock({ $0.rules.generation }) { try await noteReplacedJournal() }
        do {
            let installed = try await shelf.inForce()
            state.withLock { $0.lostSecret = nil }
            return adopt(installed, generation: generation)
        } catch let error as KeyVaultError where error.code == .lost {
            noteLostSecret(error)
            return false
        } catch let error as KeyVaultError where error.code == .damaged {
            guard try await unlessDamaged({ try await hasher.subject(namespace: "", id: "") }) == nil else {
                return abandon(GateFailure(error), generation: generation)
            }
            noteLostSecret(error)
            return false
        } catch let error as CryptoError {
            return abandon(GateFailure(error), generation: generation)
        } catch is ConfigurationError {
            return abandon(GateFailure(.configurationUnreadable), generation: generation)
        }
    }

    /// Decides by `installed` from now on, unless something newer is in force by now.
    @discardableResult
    private func adopt(_ installed: ConfigurationShelf.Installed?, generation: Int64) -> Bool {
        let rules = Rules(installed, at: place, policy: policy, generation: generation)
        warmUp(for: installed?.configuration)
        return state.withLock { state in
            let old = state.rules.judge.configuration?.version ?? 0
            guard let new = installed?.configuration.version, new >= old else { return false }
            state.rules = rules
            state.witness.configurationMade = installed?.configuration.issuedAt
            state.unreadable = nil
            state.presence.forgetAll()
            return new > old
        }
    }

    /// Keeps what is in force, and remembers why the stored configuration is not.
    private func abandon(_ failure: GateFailure, generation: Int64) -> Bool {
        let isNew = state.withLock { state -> Bool in
            defer { state.unreadable = (generation, failure) }
            return state.unreadable?.generation != generation
        }
        if isNew {
            ports.diagnostics.record(DiagnosticEvent(.configurationUnreadable, platformCode: failure.platformCode))
        }
        return false
    }

    /// Asks the verifier once for the event's keys, so that not the first person in the queue waits for a library.
    private func warmUp(for configuration: KeyConfiguration?) {
        let nothing = [UInt8](repeating: 0, count: 64)
        for key in configuration?.event(place.event)?.keys.prefix(8) ?? [] {
            // The answer is known to be no, and a library that fails says so again when it matters.
            _ = try? ports.verifier.isValid(nothing, over: [], by: key.publicKey)
        }
    }
}

extension GateFailure.Code {
    /// The stored configuration is not one that this version of the package, on this device, can read.
    public static let configurationUnreadable = GateFailure.Code("configuration_unreadable")
}
