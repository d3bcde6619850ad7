import Foundation
import HoldfastDomain

/// The folder that holds the journals: protected, not backed up, and nobody else's.
public enum DataDirectory {
    /// The folder for data of this name in the app's *Application Support*, ready for use; see `prepare(_:)`.
    ///
    /// Not in Caches, which the system empties, nor in Documents, which a person sees.
    public static func standard(named name: String = "Holdfast") throws -> URL {
        let base: URL
        do {
            base = try FileManager.default.url(
                for: .applicationSupportDirectory,
                in: .userDomainMask,
                appropriateFor: nil,
                create: true
            )
        } catch { throw QueueStoreError(directory: error) }
        return try prepare(base.appendingPathComponent(name, isDirectory: true))
    }

    /// Makes the folder, if need be, and sees to it that
    ///
    /// - files made in it can be read from the first unlock after a restart on, also while the device is locked, as
    ///   background work needs (`completeUntilFirstUserAuthentication`; SQLite's side files inherit it from the folder);
    /// - it stays out of backups: on another device the journal would come back without the keys that open it.
    ///
    /// Call it at each start, for some ways of saving take the second one back.
    ///
    /// - Returns: The folder.
    /// - Throws: `QueueStoreError` `.cannotOpen` with the system's number, or `.full`. Nothing is ever removed.
    @discardableResult
    public static func prepare(_ folder: URL) throws -> URL { try prepare(folder, with: .default) }

    static func prepare(_ folder: URL, with files: FileManager) throws -> URL {
        let protection = [FileAttributeKey.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
        var folder = folder
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: nil)
            try files.setAttributes(protection, ofItemAtPath: folder.path)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try folder.setResourceValues(values)
        } catch { throw QueueStoreError(directory: error) }
        return folder
    }
}

extension QueueStoreError {
    /// The failure to make or mark a folder, with the number of the system underneath where there is one.
    init(directory error: any Error) {
        let error = error as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        let number = underlying?.code ?? error.code
        self.init(number == Int(ENOSPC) ? .full : .cannotOpen, platformCode: number)
    }
}
