import HoldfastKit

// A key that was just made, by either `rotate-key`.
extension KeyID {
    /// Its number as an object.
    var json: JSONObject { ["keyId": .integer(Int64(rawValue))] }

    /// What it does, as a sentence.
    var sentence: String { "key \(rawValue) seals from now on" }
}
