import HoldfastDomain

extension LossReason {
    /// Why entries were lost, in words that follow their number.
    var words: String {
        switch self {
        case .overflow: "for want of room"
        case .age: "too old"
        case .oversize: "too large"
        case .invalid: "not fit to be sent"
        case .undecryptable: "that did not open"
        case .rejected: "refused by the server"
        case .consent: "erased with the consent"
        case .corruption: "damaged on the disk"
        default: "for another reason"
        }
    }
}
