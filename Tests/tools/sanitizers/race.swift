// A data race, which the thread sanitizer must find.
import Foundation

final class Counter: @unchecked Sendable { var value = 0 }
let counter = Counter()
let thread = Thread { counter.value += 1 }
thread.start()
counter.value += 1
while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) }
