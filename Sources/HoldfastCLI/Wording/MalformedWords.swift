import HoldfastDomain

extension MalformedReason {
    /// What is wrong with the text, in words.
    var words: String {
        switch self {
        case .empty: "there is nothing in it"
        case .tooLong: "it is longer than a code may be"
        case .encoding: "it is not canonical base64url"
        case .json: "it is not one strict JSON object"
        case .member: "\(memberName ?? "a member") is missing or of the wrong kind"
        case .time: "\(memberName ?? "a time") is no time, or the window ends before it begins"
        case .signature: "there is no place for one signature of 64 bytes"
        case .header: "its header asks for what is not allowed"
        case .structure: "its structure does not add up"
        default: "it is not as a ticket is written"
        }
    }
}
