import HoldfastDomain
import HoldfastInMemory
import XCTest

final class SealerTests: XCTestCase {
    private let rig = JournalRig()

    private func entry(_ payload: String = "hello") async throws -> Entry {
        try await rig.append([payload])
        let entries = try await rig.entries()
        return try XCTUnwrap(entries.last)
    }

    private func code(_ body: () async throws -> some Sendable) async -> CryptoError.Code? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? CryptoError)?.code }
    }

    func testWhatIsSealedOpensAfterARestartAndIsNotReadable() async throws {
        let entry = try await entry("a secret nobody may read")
        let opened = try await rig.sealer().open(entry)
        XCTAssertEqual(String(decoding: opened, as: UTF8.self), "a secret nobody may read")
        XCTAssertFalse(String(decoding: entry.draft.sealed, as: UTF8.self).contains("secret"))
    }

    /// S32
    func testSealedBytesOpenNowhereButInTheirPlace() async throws {
        let entry = try await entry()
        let ring = rig.ring()
        _ = try await ring.current()
        _ = try await ring.rotate()
        let other = try await self.entry("other")
        var moved = entry
        moved.draft.id = other.draft.id
        var swapped = other
        swapped.draft.sealed = entry.draft.sealed
        var rekeyed = entry
        rekeyed.draft.keyID = KeyID(2)
        for broken in [moved, swapped, rekeyed] {
            let code = await code { try await self.rig.sealer().open(broken) }
            XCTAssertEqual(code, .notAuthentic)
        }
        let elsewhere = Sealer(stream: .gate, ring: rig.ring(), cipher: rig.cipher)
        let code = await code { try await elsewhere.open(entry) }
        XCTAssertEqual(code, .notAuthentic)
    }

    func testANoteIsBoundToItsEntryAndIsNoPayload() async throws {
        var entry = try await entry()
        let none = try await rig.sealer().openNote(of: entry)
        XCTAssertNil(none)
        let note = try await rig.sealer().sealNote(Array("no".utf8), of: entry)
        entry.state = .deadLettered(.rejected, note: note)
        let opened = try await rig.sealer().openNote(of: entry)
        XCTAssertEqual(opened, Array("no".utf8))
        var confused = entry
        confused.draft.sealed = note
        let asPayload = await code { try await self.rig.sealer().open(confused) }
        XCTAssertEqual(asPayload, .notAuthentic)
        entry.state = .deadLettered(.rejected, note: entry.draft.sealed)
        let asNote = await code { try await self.rig.sealer().openNote(of: entry) }
        XCTAssertEqual(asNote, .notAuthentic)
    }

    /// What is bound is part of the format on disk: changing it would lock out every entry sealed so far.
    func testWhatIsBoundStaysAsItIs() async throws {
        let sealer = Sealer(stream: .gate, ring: rig.ring(), cipher: BindingCipher())
        let key = SealingKey(id: KeyID(0x0102_0304), key: SymmetricKey(random: rig.random))
        let id = EntryID(high: 0x0011_2233_4455_6677, low: 0x8899_aabb_ccdd_eeff)
        let bound = try sealer.seal([], id: id, with: key)
        func field(_ text: String) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8) }
        let expected =
            field("holdfast.entry.1") + field("gate") + [0, 0, 0, 0, 0, 0, 0, 16] + id.bytes
            + [0, 0, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4] + field("payload")
        XCTAssertEqual(bound, expected)
    }

    func testAKeyThatIsGoneIsToldFromOneThatIsLocked() async throws {
        let entry = try await entry()
        rig.keys.lock()
        do {
            _ = try await rig.sealer().open(entry)
            XCTFail("nothing was thrown")
        } catch { XCTAssertEqual((error as? KeyVaultError)?.code, .unavailable) }
        rig.keys.unlock()
        try await rig.ring().destroy(in: rig.store)
        let code = await code { try await self.rig.sealer().open(entry) }
        XCTAssertEqual(code, .keyAbsent)
    }

    /// What is left of entries from before an erasure does not open with a key made after it.
    func testARemnantOfAnErasureNeverOpens() async throws {
        let entry = try await entry()
        try await rig.ring().destroy(in: rig.store)
        let key = try await rig.ring().current()
        var renumbered = entry
        renumbered.draft.keyID = key.id
        let code = await code { try await self.rig.sealer().open(renumbered) }
        XCTAssertEqual(code, .notAuthentic)
    }
}

/// Gives back what was to be bound.
private struct BindingCipher: PayloadCipher {
    func seal(_ plaintext: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) -> [UInt8] {
        associatedData
    }
    func open(_ sealed: [UInt8], with key: SymmetricKey, binding associatedData: [UInt8]) -> [UInt8] { sealed }
}
