// SPDX-License-Identifier: Apache-2.0
package rookery.platform.egress;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * The public addresses: addresses that IANA's registries of special-purpose addresses call global, without the addresses that
 * embed others (IPv4-mapped, NAT64, 6to4, Teredo).
 */
final class PublicAddresses {
    private static final int IPV4_BYTES = 4;
    private static final Block IPV6_GLOBAL = Block.of("2000::", 3);

    private static final List<Block> SPECIAL = List.of(
            Block.of("0.0.0.0", 8), // this network
            Block.of("10.0.0.0", 8), // private
            Block.of("100.64.0.0", 10), // shared, behind carriers' NAT
            Block.of("127.0.0.0", 8), // loopback
            Block.of("169.254.0.0", 16), // link-local, and the clouds' metadata
            Block.of("172.16.0.0", 12), // private
            Block.of("192.0.0.0", 24), // protocol assignments
            Block.of("192.0.2.0", 24), // documentation
            Block.of("192.88.99.0", 24), // 6to4 relays
            Block.of("192.168.0.0", 16), // private
            Block.of("198.18.0.0", 15), // benchmarks
            Block.of("198.51.100.0", 24), // documentation
            Block.of("203.0.113.0", 24), // documentation
            Block.of("224.0.0.0", 3), // multicast, reserved, broadcast
            Block.of("2001::", 23), // protocol assignments, Teredo among them
            Block.of("2001:db8::", 32), // documentation
            Block.of("2002::", 16), // 6to4
            Block.of("3fff::", 20)); // documentation

    private PublicAddresses() {}

    static boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean isGlobal = bytes.length == IPV4_BYTES || IPV6_GLOBAL.contains(bytes);
        return isGlobal && SPECIAL.stream().noneMatch(block -> block.contains(bytes));
    }

    /** A range of addresses with the same first bits. */
    private record Block(InetAddress first, int bits) {
        static Block of(String first, int bits) {
            return new Block(InetAddress.ofLiteral(first), bits);
        }

        boolean contains(byte[] address) {
            byte[] start = first.getAddress();
            if (address.length != start.length) {
                return false;
            }
            int whole = bits / 8;
            int mask = 0xff00 >> bits % 8 & 0xff;
            return Arrays.equals(address, 0, whole, start, 0, whole)
                    && (mask == 0 || (address[whole] & mask) == (start[whole] & mask));
        }
    }
}
