@_spi(StandIn) import BackgroundTasks
import Foundation
@_spi(StandIn) import Network
@_spi(StandIn) import Security
@_spi(StandIn) import UIKit

@testable import FieldApp

// A person and a pretended device around the app, for tests: does what each line of standard input says and answers
// `done`, or says why not. It knows the app's screens and nothing of its telemetry, so that it plays with the app as it
// was and as it is in the same way.

let device = URL(fileURLWithPath: ProcessInfo.processInfo.environment["HOME"] ?? "/")
Keychain.current.keep(in: device.appendingPathComponent("keychain"))
let permitted = Bundle.main.object(forInfoDictionaryKey: "BGTaskSchedulerPermittedIdentifiers") as? [String]
BGTaskScheduler.shared.reset(permitted: Set(permitted ?? []))

let app = AppDelegate()

@MainActor
func play(_ words: [Substring]) async -> String {
    switch words.joined(separator: " ") {
    case "launch":
        StandInApplication.launch(app)
        BGTaskScheduler.shared.finishLaunching()
    case "visit":  // three events: a screen, a timing, an error
        guard let orders = app.window?.rootViewController as? OrdersViewController else { return "no screen" }
        orders.viewDidAppear(false)
        orders.complete("an order that is not there")
    case "airplane on": StandInNetwork.current.send(NWPath(.unsatisfied))
    case "airplane off": StandInNetwork.current.send(NWPath(.satisfied))
    case "leave":  // until the app has given back the time that it asked for, and may be suspended
        StandInApplication.enterBackground()
        while StandInApplication.openBackgroundTasks > 0 { try? await Task.sleep(nanoseconds: 1_000_000) }
    case "return": StandInApplication.enterForeground()
    case "background task":
        guard let request = BGTaskScheduler.shared.pending.first else { return "none was asked for" }
        guard let task = BGTaskScheduler.shared.launch(request.identifier) else { return "none is registered" }
        while task.completed.isEmpty { try? await Task.sleep(nanoseconds: 1_000_000) }
        if task.completed != [true] { return "it failed" }
    default: return "unknown"
    }
    return "done"
}

let lines = AsyncStream<String> { stream in
    Thread.detachNewThread {
        while let line = readLine() { stream.yield(line) }
        stream.finish()
    }
}
Task { @MainActor in
    for await line in lines {
        let answer = await play(line.split(separator: " "))
        FileHandle.standardOutput.write(Data((answer + "\n").utf8))  // `print` would wait for a buffer to fill
    }
    exit(0)
}
RunLoop.main.run()  // as an app's main thread does
