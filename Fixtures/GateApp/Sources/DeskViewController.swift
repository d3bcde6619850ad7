import AVFoundation
import HoldfastKit
import UIKit

/// Shows the camera's picture and, over it, a colour and a line of text; buzzes at each answer.
final class DeskViewController: UIViewController {
    private let desk: GateDesk
    private let label = UILabel()
    private let buzzer = UINotificationFeedbackGenerator()

    init(_ desk: GateDesk) {
        self.desk = desk
        #if canImport(ObjectiveC)
        super.init(nibName: nil, bundle: nil)
        #else
        super.init()
        #endif
    }

    #if canImport(ObjectiveC)
    required init?(coder: NSCoder) { nil }
    #endif

    override func viewDidLoad() {
        super.viewDidLoad()
        let picture = AVCaptureVideoPreviewLayer(session: desk.scanner.session)
        picture.videoGravity = .resizeAspectFill
        picture.frame = view.bounds
        view.layer.addSublayer(picture)
        label.frame = CGRect(x: 0, y: view.bounds.height - 160, width: view.bounds.width, height: 160)
        label.numberOfLines = 0
        view.addSubview(label)
        desk.onChange = { [weak self] in self?.show($0) }
        // Felt once, not in each frame in which the code is still in view.
        desk.onDecision = { [buzzer] decision in
            if !decision.isRepeat { buzzer.notificationOccurred(decision.isAccepted ? .success : .error) }
        }
        show(desk.light)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        Task { await desk.start() }
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        Task { await desk.stop() }
    }

    private func show(_ light: GateDesk.Light) {
        switch light {
        case .off(let text): (label.text, label.textColor, label.backgroundColor) = (text, .white, .black)
        case .green(let text): (label.text, label.textColor, label.backgroundColor) = (text, .black, .systemGreen)
        case .red(let text): (label.text, label.textColor, label.backgroundColor) = (text, .white, .systemRed)
        }
    }
}
