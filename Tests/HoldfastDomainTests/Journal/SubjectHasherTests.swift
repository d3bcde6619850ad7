import HoldfastDomain
import HoldfastInMemory
import XCTest

final class SubjectHasherTests: XCTestCase {
    private let rig = JournalRig()

    /// A new one, as a new process has it.
    private func hasher(random: (any RandomSource)? = nil) -> SubjectHasher {
        SubjectHasher(vault: rig.keys, journal: rig.store, digest: SoftwareDigest(), random: random ?? rig.random)
    }

    private func assertLost(line: UInt = #line) async {
        do {
            _ = try await hasher().subject(namespace: "e", id: "t")
            XCTFail("nothing was thrown", line: line)
        } catch { XCTAssertEqual(error as? KeyVaultError, KeyVaultError(.lost), line: line) }
    }

    func testASecretThatIsGoneIsNotMadeAnew() async throws {
        let before = try await hasher().subject(namespace: "e", id: "t")
        let kept = try await rig.keys.secret(named: "subject.secret")
        let secret = try XCTUnwrap(kept)
        try await rig.keys.remove(named: "subject.secret")
        await assertLost()
        let names = try await rig.keys.names()
        XCTAssertEqual(names, [])
        rig.keys.plant([UInt8](repeating: 5, count: 32), named: "subject.secret")
        await assertLost()
        rig.keys.plant(secret, named: "subject.secret")
        let after = try await hasher().subject(namespace: "e", id: "t")
        XCTAssertEqual(after, before, "the way on")
    }

    func testAJournalFromBeforeTheCheckProvesTheSecretByItsConfigurations() async throws {
        _ = try await hasher().subject(namespace: "e", id: "t")
        try await rig.store.setValue(nil, named: "subject.check")
        let draft = Draft(
            id: EntryID(high: 0, low: 1),
            stream: .configuration,
            recordedAt: Timestamp(milliseconds: 0),
            keyID: KeyID(1),
            sealed: [1]
        )
        _ = try await rig.store.append([draft], durability: .powerLoss)
        let kept = try await rig.keys.secret(named: "subject.secret")
        try await rig.keys.remove(named: "subject.secret")
        await assertLost()
        rig.keys.plant(try XCTUnwrap(kept), named: "subject.secret")
        _ = try await hasher().subject(namespace: "e", id: "t")
        let check = try await rig.store.value(named: "subject.check")
        XCTAssertNotNil(check, "kept from now on")
    }

    func testTheCheckShowsNothingOfTheSecret() async throws {
        let subject = try await hasher().subject(namespace: "", id: "")
        let kept = try await rig.keys.secret(named: "subject.secret")
        let check = try await rig.store.value(named: "subject.check")
        XCTAssertEqual(check?.count, 32)
        XCTAssertNotEqual(check, kept)
        XCTAssertNotEqual(check, subject.bytes)
    }

    func testTwoThatBeginAtOnceAgree() async throws {
        let (rig, other) = (rig, hasher())
        // The other makes the secret and its check while this one is about to ask the vault.
        let hooked = HookedVault(vault: rig.keys) { call in
            if call == .read("subject.secret") { _ = try await other.subject(namespace: "e", id: "t") }
        }
        let slow = SubjectHasher(vault: hooked, journal: rig.store, digest: SoftwareDigest(), random: rig.random)
        let (first, second) = (
            try await slow.subject(namespace: "e", id: "t"), try await other.subject(namespace: "e", id: "t")
        )
        XCTAssertEqual(first, second)
    }

    func testSubjectsAreStableSecretAndUnambiguous() async throws {
        let hasher = self.hasher()
        let subject = try await hasher.subject(namespace: "EV1", id: "T-1")
        XCTAssertEqual(subject.bytes.count, 32)
        let other = self.hasher(random: SeededRandom(seed: 99))
        let again = try await other.subject(namespace: "EV1", id: "T-1")
        XCTAssertEqual(again, subject)
        var seen: Set<Subject> = [subject]
        for (namespace, id) in [("EV", "1T-1"), ("EV1T", "-1"), ("", "EV1T-1"), ("T-1", "EV1"), ("ev1", "T-1")] {
            seen.insert(try await hasher.subject(namespace: namespace, id: id))
        }
        XCTAssertEqual(seen.count, 6)
        let elsewhere = SubjectHasher(
            vault: InMemoryKeyVault(),
            journal: InMemoryQueueStore(),
            digest: SoftwareDigest(),
            random: SeededRandom(seed: 5)
        )
        let foreign = try await elsewhere.subject(namespace: "EV1", id: "T-1")
        XCTAssertNotEqual(foreign, subject)
    }

    func testTheSecretBehindSubjectsIsReadOnceAndNeverReplaced() async throws {
        let hasher = self.hasher()
        rig.keys.lock()
        for code in [KeyVaultError.Code.unavailable] {
            do {
                _ = try await hasher.subject(namespace: "e", id: "t")
                XCTFail("nothing was thrown")
            } catch { XCTAssertEqual((error as? KeyVaultError)?.code, code) }
        }
        rig.keys.unlock()
        let first = try await hasher.subject(namespace: "e", id: "t")
        rig.keys.lock()
        let second = try await hasher.subject(namespace: "e", id: "t")
        XCTAssertEqual(first, second)
        rig.keys.unlock()
        rig.keys.plant([1, 2, 3], named: "subject.secret")
        do {
            let late = self.hasher()
            _ = try await late.subject(namespace: "e", id: "t")
            XCTFail("nothing was thrown")
        } catch { XCTAssertEqual((error as? KeyVaultError)?.code, .damaged) }
    }
}
