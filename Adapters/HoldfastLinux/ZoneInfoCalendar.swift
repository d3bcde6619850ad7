import Glibc
import HoldfastDomain

/// Knows the world's time zones from the system's own database (`tzdata`). Safe to use from any thread.
///
/// Files are read when their zone is first asked for, and kept; so an update of the database counts from the next
/// start on. It is used rather than Foundation's zones because a gate need not load all of Foundation for them.
public struct ZoneInfoCalendar: CivilCalendar {
    /// How many zones are kept; a gate has one or two.
    private static let limit = 32

    private let directory: String
    private let zones = Locked<[String: TimeZoneFile]>([:])

    /// A calendar of the zones in `directory`, one file each, as RFC 8536 describes them.
    public init(directory: String = "/usr/share/zoneinfo") { self.directory = directory }

    /// The day of `moment` in the zone called `zone`; nil if the database has no such zone. `UTC` needs no database.
    public func day(of moment: Timestamp, in zone: String) -> CivilDay? {
        if zone == "UTC" { return moment.utcDay }
        guard let file = file(of: zone) else { return nil }
        let (seconds, rest) = moment.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return (moment + .seconds(file.offset(at: rest < 0 ? seconds - 1 : seconds))).utcDay
    }

    private func file(of zone: String) -> TimeZoneFile? {
        if let known = zones.withLock({ $0[zone] }) { return known }
        guard Self.isName(zone), let file = read(zone) else { return nil }
        zones.withLock { zones in
            if zones.count >= Self.limit, let any = zones.keys.first { zones[any] = nil }
            zones[zone] = file
        }
        return file
    }

    private func read(_ zone: String) -> TimeZoneFile? {
        // A zone that cannot be read is one that is not known.
        guard let file = try? Descriptor(open("\(directory)/\(zone)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
            let bytes = try? file.readAll(upTo: 1 << 20)
        else { return nil }
        return TimeZoneFile(bytes)
    }

    /// Whether `zone` can be an IANA name, and so no path that leads elsewhere.
    private static func isName(_ zone: String) -> Bool {
        guard zone.utf8.count <= 64, !zone.hasPrefix("posix/"), !zone.hasPrefix("right/") else { return false }
        return zone.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) }
        }
    }
}
