import Foundation
import Patience
import XCTest

/// Somewhere in a network of the test's own, where programs can be run.
struct NetworkPlace {
    /// A process that is there.
    fileprivate let process: Int32
    /// Its address.
    let address: String
    /// Its end of the cable.
    fileprivate let interface: String

    /// The words before a program's own that run it there.
    var entering: [String] {
        ["nsenter", "--target", "\(process)", "--user", "--net", "--preserve-credentials", "--"]
    }
}

/// A device and a server in two network namespaces (network_namespaces(7)) that a cable joins (veth(4)). They end with
/// the test.
struct TwoNetworks {
    /// Where the device is.
    let device: NetworkPlace
    /// Where the server is.
    let server: NetworkPlace
    private let folder: Folder

    /// Two networks with the cable plugged in.
    ///
    /// - Throws: `XCTSkip` where this user may not make any.
    init(for test: XCTestCase, in folder: Folder) throws {
        self.folder = folder
        // Should this test die, each ends with its input.
        let waiting = ["--net", "--", "sh", "-c", "echo there && exec cat"]
        let one = try Self.start(["unshare", "--user", "--map-root-user"] + waiting, for: test, in: folder)
        device = NetworkPlace(process: one, address: "10.99.0.1", interface: "device0")
        let two = try Self.start(device.entering + ["unshare"] + waiting, for: test, in: folder)
        server = NetworkPlace(process: two, address: "10.99.0.2", interface: "server0")
        do {
            try ip("link add \(device.interface) type veth peer name \(server.interface) netns \(two)", at: device)
        } catch {
            throw XCTSkip("this kernel joins no network namespaces (veth)")
        }
        for place in [device, server] {
            try ip("addr add \(place.address)/24 dev \(place.interface)", at: place)
            try ip("link set \(place.interface) up", at: place)
        }
    }

    /// Switches the interface at one end of the cable on or off.
    func setLink(up: Bool, at place: NetworkPlace) throws {
        try ip("link set \(place.interface) \(up ? "up" : "down")", at: place)
    }

    private func ip(_ arguments: String, at place: NetworkPlace) throws {
        let words = place.entering + ["ip"] + arguments.split(separator: " ").map(String.init)
        let program = try Program(URL(fileURLWithPath: "/usr/bin/env"), words, input: Data(), in: folder)
        guard program.wait() == 0 else { throw NetworkFailure(message: program.errors) }
    }

    /// Starts a process that waits in a network of its own; its id.
    private static func start(_ words: [String], for test: XCTestCase, in folder: Folder) throws -> Int32 {
        let program = try Program(URL(fileURLWithPath: "/usr/bin/env"), words, input: nil, in: folder)
        let patience = Patience("a process waits in its network")
        while program.lines.isEmpty, program.isRunning { try patience.rest() }
        guard program.isRunning else {
            throw XCTSkip("needs the right to make network namespaces: \(program.errors)")
        }
        test.addTeardownBlock {
            program.send(SIGKILL)
            program.wait()
        }
        return program.id
    }
}

/// The `ip` command did not do as it was told.
struct NetworkFailure: Error {
    /// What it said.
    var message: String
}
