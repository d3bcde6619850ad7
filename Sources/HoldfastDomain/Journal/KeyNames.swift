/// How a stream's keys are called in the vault: `<stream>.key.<number>`, and `<stream>.erased.<number>` for a mark that
/// every key up to that number has been destroyed.
struct KeyNames: Sendable {
    let stream: StreamName

    func key(_ id: KeyID) -> String { "\(stream.rawValue).key.\(id.rawValue)" }

    func mark(_ number: UInt32) -> String { "\(stream.rawValue).erased.\(number)" }

    /// What these names say of the stream.
    func survey(_ names: [String]) -> KeySurvey {
        let marks = numbers(after: "\(stream.rawValue).erased.", in: names)
        let keys = numbers(after: "\(stream.rawValue).key.", in: names)
        let erased = marks.max() ?? 0
        return KeySurvey(
            keys: Set(keys.filter { $0 > erased }.map { KeyID($0) }),
            remains: keys.filter { $0 <= erased }.map { KeyID($0) },
            erased: erased,
            marks: marks
        )
    }

    /// Numbers written any other way than `key(_:)` writes them are not ours, and are passed over.
    private func numbers(after prefix: String, in names: [String]) -> [UInt32] {
        names.compactMap { name in
            guard name.hasPrefix(prefix), let number = UInt32(name.dropFirst(prefix.count)), number > 0,
                name == prefix + String(number)
            else { return nil }
            return number
        }
    }
}

/// What a vault's names say of one stream.
struct KeySurvey: Sendable {
    /// The keys that are in use or may be.
    let keys: Set<KeyID>
    /// Keys that were destroyed but not yet removed: the process died in between.
    let remains: [KeyID]
    /// Up to which number keys have been destroyed; 0 for none.
    let erased: UInt32
    /// All marks, of which only the highest counts.
    let marks: [UInt32]

    var newest: KeyID? { keys.max() }

    /// The number after all that were ever in use; nil when there is none left.
    var next: KeyID? {
        let (number, overflow) = max(newest?.rawValue ?? 0, erased).addingReportingOverflow(1)
        return overflow ? nil : KeyID(number)
    }
}
