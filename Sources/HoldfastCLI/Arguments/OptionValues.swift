import HoldfastDomain

extension Arguments {
    /// A number of seconds, with a fraction or without, up to a year; nil if the option was not given.
    func interval(_ name: String) throws -> Interval? {
        try value(name, as: "a number of seconds") { text in
            guard let seconds = Double(text), seconds >= 0, seconds <= 31_536_000 else { return nil }
            return .milliseconds(Int64((seconds * 1000).rounded()))
        }
    }

    /// An http or https URL that has to be there.
    func url(_ name: String) throws -> String {
        let text = try required(name)
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
            throw UsageError("\(name) is not an http or https URL")
        }
        return text
    }
}
