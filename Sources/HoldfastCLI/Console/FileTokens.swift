import HoldfastDomain

/// The access token in a file, which another program may renew.
struct FileTokens: AccessTokenProvider {
    /// The file.
    let path: String

    func token(refused: AccessToken?) async throws -> AccessToken? { AccessToken(try Files.readLine(path)) }

    /// Why there is none to send, in words; nil if there is one.
    var complaint: String? {
        do {
            _ = try Files.readLine(path)
            return nil
        } catch {
            return explain(error)
        }
    }
}
