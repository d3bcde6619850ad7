import CHoldfastLinux
import Glibc

/// A socket on which the kernel reports network changes (netlink(7)).
struct NetlinkSocket {
    private static let groups =
        RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE

    private let descriptor: Descriptor
    var number: Int32 { descriptor.number }

    /// A socket that becomes readable with each change.
    static func listening() throws -> NetlinkSocket { try NetlinkSocket(groups: UInt32(groups)) }

    private init(groups: UInt32) throws {
        let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = try Descriptor(socket(AF_NETLINK, kind, NETLINK_ROUTE))
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = groups
        let code = withUnsafeBytes(of: &address) { bytes in
            bind(number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard code == 0 else { throw SystemError.last }
    }

    /// Throws away what has come, so that only new changes make the socket readable. That the kernel had to drop some
    /// (`ENOBUFS`) makes no difference.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 16384)
        while recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 || errno == ENOBUFS
            || errno == EINTR
        {
            errno = 0
        }
    }

    /// Asks for everything there is now.
    static func table() throws -> NetworkTable {
        var table = NetworkTable()
        for type in [RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE] {
            let socket = try NetlinkSocket(groups: 0)
            try socket.request(UInt16(type))
            try socket.readList { table.take($0) }
        }
        return table
    }

    private func request(_ type: UInt16) throws {
        // The kernel answers at once; if it ever did not, nobody should wait for it for ever.
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        guard setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) == 0 else {
            throw SystemError.last
        }
        var message = (nlmsghdr(), rtgenmsg(), (UInt8(0), UInt8(0), UInt8(0)))
        let length = MemoryLayout<nlmsghdr>.size + 4
        message.0.nlmsg_len = UInt32(length)
        message.0.nlmsg_type = type
        message.0.nlmsg_flags = UInt16(NLM_F_REQUEST | NLM_F_DUMP)
        _ = try withUnsafeBytes(of: &message) { bytes in
            try SystemError.retrying { send(number, bytes.baseAddress, length, 0) }
        }
    }

    private func readList(_ take: (NetlinkMessage) -> Void) throws {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = try SystemError.retrying { recv(number, &buffer, buffer.count, 0) }
            for message in buffer.withUnsafeBytes({
                NetlinkMessage.parse(UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
            }) {
                switch message {
                case .done: return
                case .error(let number): throw SystemError(number: -number)
                default: take(message)
                }
            }
            if count == 0 { throw SystemError(number: EIO) }
        }
    }
}
