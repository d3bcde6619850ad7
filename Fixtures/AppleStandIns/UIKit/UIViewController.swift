import Foundation
@_exported import QuartzCore

/// A stand-in for colours.
public final class UIColor: NSObject, Sendable {
    private let name: String
    private init(_ name: String) { self.name = name }
    public static let black = UIColor("black")
    public static let white = UIColor("white")
    public static let systemGreen = UIColor("green")
    public static let systemRed = UIColor("red")
    public override var description: String { name }
}

/// A stand-in for what is on screen.
@MainActor
open class UIView: UIResponder {
    public var frame = CGRect.zero
    public var bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    public var backgroundColor: UIColor?
    public let layer = CALayer()
    public private(set) var subviews: [UIView] = []
    public func addSubview(_ view: UIView) { subviews.append(view) }
}

/// A stand-in for a line of text.
public final class UILabel: UIView {
    public var text: String?
    public var textColor: UIColor?
    public var numberOfLines = 1
}

/// A stand-in for a screen.
@MainActor
open class UIViewController: UIResponder {
    private var loadedView: UIView?
    public var title: String?

    /// Loaded when it is first asked for.
    public var view: UIView! {
        if loadedView == nil {
            loadedView = UIView()
            viewDidLoad()
        }
        return loadedView
    }

    open func viewDidLoad() {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
}

/// A stand-in for what holds the screens.
public final class UIWindow: UIView {
    public var rootViewController: UIViewController?
    public func makeKeyAndVisible() { _ = rootViewController?.view }
}

/// A stand-in for what makes the device buzz.
@available(iOS 10.0, *)
@MainActor
public final class UINotificationFeedbackGenerator: NSObject {
    /// Which of the three ways.
    public enum FeedbackType: Int, Sendable { case success, warning, error }

    /// Every buzz of this device.
    @_spi(StandIn) public static var felt: [FeedbackType] = []

    public nonisolated override init() {}
    public func notificationOccurred(_ notificationType: FeedbackType) { Self.felt.append(notificationType) }
}
