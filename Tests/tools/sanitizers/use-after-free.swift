// A use after free, which the address sanitizer must find.
let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
number.initialize(to: 1)
number.deallocate()
print(number.pointee)
