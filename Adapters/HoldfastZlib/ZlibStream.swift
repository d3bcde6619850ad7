import CHoldfastZlib
import HoldfastDomain

/// One stream of zlib's. It stays in one place, since zlib keeps its address.
final class ZlibStream {
    static let size = Int32(MemoryLayout<z_stream>.size)

    let pointer = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let end: (z_streamp?) -> Int32
    private var isOpen = false

    init(end: @escaping (z_streamp?) -> Int32, begin: (z_streamp) -> Int32) throws {
        self.end = end
        pointer.initialize(to: z_stream())
        let code = begin(pointer)
        guard code == Z_OK else { throw CompressionError(zlib: code) }
        isOpen = true
    }

    /// Takes all of `input` through `step`, into at most `capacity` bytes.
    func run(over input: [UInt8], capacity: Int, step: (z_streamp?, Int32) -> Int32) throws -> [UInt8] {
        try input.withUnsafeBufferPointer { input in
            // zlib wants an address even for nothing.
            try [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { output, count in
                var source = Remaining(input.count)
                var sink = Remaining(capacity)
                // zlib only reads its input, though the field is not const.
                pointer.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                pointer.pointee.next_out = output.baseAddress
                var code = Z_OK
                while code == Z_OK {
                    source.refill(&pointer.pointee.avail_in)
                    sink.refill(&pointer.pointee.avail_out)
                    code = step(pointer, source.isGivenOut ? Z_FINISH : Z_NO_FLUSH)
                }
                guard code == Z_STREAM_END else { throw CompressionError(zlib: code) }
                guard source.isGivenOut, pointer.pointee.avail_in == 0 else {
                    throw CompressionError(zlib: Z_DATA_ERROR)
                }
                count = sink.given - Int(pointer.pointee.avail_out)
            }
        }
    }

    deinit {
        // Its answer tells only whether the stream was cut short, which `run` has told already.
        if isOpen { _ = end(pointer) }
        pointer.deallocate()
    }
}

/// Gives zlib a long buffer in parts, since its counts have 32 bits.
private struct Remaining {
    private let total: Int
    private(set) var given = 0

    init(_ total: Int) { self.total = total }

    var isGivenOut: Bool { given == total }

    mutating func refill(_ available: inout UInt32) {
        guard available == 0 else { return }
        available = UInt32(min(total - given, Int(Int32.max)))
        given += Int(available)
    }
}
