/// Names a boot of the device.
enum BootIdentity {
    /// The system's own name for the boot, or, where it tells none, one for this process alone: then no reading is taken
    /// for one of the same boot as a reading of another process, which is safe, for a wait is judged by the wall clock.
    static func name(session: String?, process: String) -> String {
        let text = session?.trimmed ?? ""
        return text.isEmpty || text.utf8.count > 64 ? "process-" + process : text.lowercased()
    }
}

extension String {
    /// Without the spaces and zero bytes that a C buffer may leave at the end.
    fileprivate var trimmed: String { String(prefix { $0 != "\0" && $0 != "\n" && $0 != " " }) }
}
