import Foundation

/// The back end.
enum Server {
    /// Where it is, by Info.plist.
    static let url: URL = {
        let text = Bundle.main.object(forInfoDictionaryKey: "FieldServer") as? String
        return text.flatMap(URL.init(string:)) ?? URL(fileURLWithPath: "/")
    }()
}
