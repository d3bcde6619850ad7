import UIKit

/// Shows the orders of the day.
final class OrdersViewController: UIViewController {
    private var orders = OrderStore()
    private let label = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        label.frame = view.bounds
        label.numberOfLines = 0
        view.addSubview(label)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        NavigationLogger.shared.appeared("orders")
        TimingLogger.shared.measure("orders.show") {
            label.text = orders.open.joined(separator: "\n")
        }
    }

    func complete(_ order: String) {
        do { try orders.complete(order) } catch { ErrorReporter.shared.report(error, in: "orders.complete") }
    }
}
