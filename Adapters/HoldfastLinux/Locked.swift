import Glibc

/// A value that is read and written only under a lock.
// The only access to the value is `withLock`, which holds the mutex.
final class Locked<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Behind a pointer, so that no access to it is checked again at run time: the lock has checked it.
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ value: Value) {
        self.value.initialize(to: value)
        // Of a mutex with default attributes, neither this nor locking can fail (POSIX.1-2017, pthread_mutex_lock).
        pthread_mutex_init(mutex, nil)
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }
}
