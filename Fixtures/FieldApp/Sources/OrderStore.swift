/// The orders of the day, which the app has with it in the field.
struct OrderStore {
    struct UnknownOrder: Error {}

    private(set) var open = ["Boiler, Lindenweg 4", "Meter, Hafenstraße 12"]

    mutating func complete(_ order: String) throws {
        guard let index = open.firstIndex(of: order) else { throw UnknownOrder() }
        open.remove(at: index)
    }
}
