import Foundation
import HoldfastDomain

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The request as URLSession takes it, without its body.
    ///
    /// - Throws: `TransportError` `.invalidRequest` for anything but an absolute http or https URL, for a method that
    ///   is no token, and for header fields that could smuggle in another one (RFC 9110, sections 5.5, 5.6.2 and 9.1).
    init(_ request: TransportRequest) throws {
        guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(), let host = url.host,
            ["http", "https"].contains(scheme), !host.isEmpty, HTTPToken.isToken(request.method),
            request.headers.allSatisfy({ HTTPToken.isToken($0.name) && HTTPToken.isFieldValue($0.value) })
        else { throw TransportError(.invalidRequest) }
        self.init(url: url)
        httpMethod = request.method
        cachePolicy = .reloadIgnoringLocalCacheData
        httpShouldHandleCookies = false
        timeoutInterval = request.timeout.seconds
        for field in request.headers { addValue(field.value, forHTTPHeaderField: field.name) }
    }
}

/// The two kinds of text that a request head is made of.
enum HTTPToken {
    /// A method or a field name: one or more of the characters of RFC 9110, section 5.6.2.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    return true
                default: return "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// A field value: nothing that ends or splits the line.
    static func isFieldValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }
}

extension Interval {
    /// The length in seconds, at least a millisecond.
    var seconds: Double { Double(max(1, milliseconds)) / 1000 }
}
