import CHoldfastLinux
import HoldfastDomain

/// The device's interfaces, addresses and default routes, and what they amount to.
struct NetworkTable {
    private var links: [Int32: (flags: UInt32, name: String)] = [:]
    private var addressed: Set<Int32> = []
    private var routed: Set<Int32> = []

    /// Takes what one message tells.
    mutating func take(_ message: NetlinkMessage) {
        switch message {
        case .link(let index, let flags, let name): links[index] = (flags, name)
        case .address(let index, let scope, let flags):
            // An address that is valid on this link or host alone, or not (yet) known to be the device's own, is no use.
            let isOwn = UInt32(flags) & UInt32(IFA_F_TENTATIVE | IFA_F_DADFAILED) == 0
            if isOwn && UInt32(scope) < RT_SCOPE_LINK.rawValue { addressed.insert(index) }
        case .defaultRoute(let interfaces): routed.formUnion(interfaces)
        case .done, .error, .other: break
        }
    }

    /// What the network is like, for a host whose server is this far away.
    func status(for reach: NetlinkConnectivity.Reach) -> ConnectivityStatus {
        let usable = links.filter { index, link in
            switch reach {
            case .thisDevice: return isUp(link.flags)
            case .localNetwork: return isUp(link.flags) && !isLoopback(link.flags) && addressed.contains(index)
            case .internet:
                return isUp(link.flags) && !isLoopback(link.flags) && addressed.contains(index)
                    && routed.contains(index)
            }
        }
        return ConnectivityStatus(
            isReachable: !usable.isEmpty,
            isExpensive: !usable.isEmpty && usable.values.allSatisfy { Self.isMetered($0.name) }
        )
    }

    private func isUp(_ flags: UInt32) -> Bool {
        flags & IFF_UP.rawValue != 0 && flags & IFF_RUNNING.rawValue != 0
    }

    private func isLoopback(_ flags: UInt32) -> Bool { flags & IFF_LOOPBACK.rawValue != 0 }

    /// Modems, by what the kernel and ModemManager call their interfaces.
    private static func isMetered(_ name: String) -> Bool {
        ["wwan", "wwp", "ppp", "rmnet"].contains { name.hasPrefix($0) }
    }
}
