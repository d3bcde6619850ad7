import CHoldfastLinux

/// One message of the kernel's routing socket (rtnetlink(7)), taken from bytes that it sent.
enum NetlinkMessage: Hashable {
    /// An interface.
    case link(index: Int32, flags: UInt32, name: String)
    /// An address of an interface.
    case address(index: Int32, scope: UInt8, flags: UInt8)
    /// A default route, through these interfaces.
    case defaultRoute(interfaces: [Int32])
    /// The end of a list.
    case done
    /// The kernel's answer to a request, with a (negative) `errno`.
    case error(Int32)
    /// Anything else.
    case other

    /// The messages in one datagram; what is cut off or does not fit is left out.
    static func parse(_ datagram: UnsafeRawBufferPointer) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var rest = datagram[...]
        while let header = rest.load(nlmsghdr.self) {
            let length = Int(header.nlmsg_len)
            guard length >= MemoryLayout<nlmsghdr>.size, length <= rest.count else { break }
            messages.append(parse(header, rest.prefix(length).dropFirst(MemoryLayout<nlmsghdr>.size)))
            rest = rest.dropFirst(min(aligned(length), rest.count))
        }
        return messages
    }

    private static func parse(_ header: nlmsghdr, _ body: Bytes) -> NetlinkMessage {
        switch Int32(header.nlmsg_type) {
        case NLMSG_DONE: return .done
        case NLMSG_ERROR: return body.load(nlmsgerr.self).map { .error($0.error) } ?? .other
        case Int32(RTM_NEWLINK): return link(body) ?? .other
        case Int32(RTM_NEWADDR): return address(body) ?? .other
        case Int32(RTM_NEWROUTE): return route(body) ?? .other
        default: return .other
        }
    }

    private static func link(_ body: Bytes) -> NetlinkMessage? {
        guard let info = body.load(ifinfomsg.self) else { return nil }
        let name = attributes(body.dropFirst(aligned(MemoryLayout<ifinfomsg>.size)))
            .first { $0.type == UInt16(IFLA_IFNAME) }
        return .link(
            index: info.ifi_index,
            flags: info.ifi_flags,
            name: String(decoding: (name?.value ?? body.prefix(0)).prefix { $0 != 0 }, as: UTF8.self)
        )
    }

    private static func address(_ body: Bytes) -> NetlinkMessage? {
        body.load(ifaddrmsg.self).map {
            .address(index: Int32(truncatingIfNeeded: $0.ifa_index), scope: $0.ifa_scope, flags: $0.ifa_flags)
        }
    }

    private static func route(_ body: Bytes) -> NetlinkMessage? {
        guard let info = body.load(rtmsg.self), info.rtm_dst_len == 0, info.rtm_type == UInt8(RTN_UNICAST)
        else {
            return nil
        }
        var interfaces: [Int32] = []
        for attribute in attributes(body.dropFirst(aligned(MemoryLayout<rtmsg>.size))) {
            switch UInt32(attribute.type) {
            case RTA_OIF.rawValue: interfaces += attribute.value.load(Int32.self).map { [$0] } ?? []
            case RTA_MULTIPATH.rawValue: interfaces += hops(attribute.value)
            default: break
            }
        }
        return .defaultRoute(interfaces: interfaces)
    }

    private static func hops(_ bytes: Bytes) -> [Int32] {
        var interfaces: [Int32] = []
        var rest = bytes
        while let hop = rest.load(rtnexthop.self), Int(hop.rtnh_len) >= MemoryLayout<rtnexthop>.size {
            interfaces.append(hop.rtnh_ifindex)
            rest = rest.dropFirst(min(aligned(Int(hop.rtnh_len)), rest.count))
        }
        return interfaces
    }

    private static func attributes(_ bytes: Bytes) -> [(type: UInt16, value: Bytes)] {
        var attributes: [(type: UInt16, value: Bytes)] = []
        var rest = bytes
        while let header = rest.load(rtattr.self) {
            let length = Int(header.rta_len)
            guard length >= MemoryLayout<rtattr>.size, length <= rest.count else { break }
            attributes.append((header.rta_type, rest.prefix(length).dropFirst(MemoryLayout<rtattr>.size)))
            rest = rest.dropFirst(min(aligned(length), rest.count))
        }
        return attributes
    }

    /// Everything in a message begins at a multiple of four bytes.
    private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}

typealias Bytes = Slice<UnsafeRawBufferPointer>

extension Bytes {
    /// The C struct at the start; nil if there are too few bytes.
    fileprivate func load<Struct>(_: Struct.Type) -> Struct? {
        guard count >= MemoryLayout<Struct>.size else { return nil }
        return UnsafeRawBufferPointer(rebasing: self).loadUnaligned(as: Struct.self)
    }
}
