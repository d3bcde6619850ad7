import Foundation

extension String {
    /// The text with every `old` replaced (the standard library's own needs a newer system).
    func replacing(_ old: String, with new: String) -> String { replacingOccurrences(of: old, with: new) }
}
