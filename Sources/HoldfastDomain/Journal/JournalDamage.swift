/// What damage to a journal's file has taken from one of its streams: a note that the store itself leaves among the small
/// values when it has to go on with what could still be read.
///
/// The ledger of losses counts what was never delivered. This counts entries that were kept after delivery too, for those
/// tell which tickets were used. It is a fact of the journal, and stays with it.
public struct JournalDamage: Hashable, Sendable {
    /// How many entries are gone at least, in whatever state; 0 where nothing tells how many.
    public var atLeast: Int

    /// Damage that has taken so many at least.
    public init(atLeast: Int) { self.atLeast = max(0, atLeast) }

    /// The damage that a note tells of; nil if it is no such note.
    public init?(note: [UInt8]) {
        guard let count = Int(String(decoding: note, as: UTF8.self)), count >= 0 else { return nil }
        atLeast = count
    }

    /// The damage as a note.
    public var note: [UInt8] { Array(String(atLeast).utf8) }

    /// What the note on a stream is called among the journal's values.
    public static func noteName(of stream: StreamName) -> String { "damage.\(stream.rawValue)" }
}
