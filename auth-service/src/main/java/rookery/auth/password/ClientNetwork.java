// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** The network of a client's address. A client with one address of a network can usually use the others. */
final class ClientNetwork {
    private static final int IPV4_BYTES = 3;
    private static final int IPV6_BYTES = 8;

    private ClientNetwork() {}

    /** Such as {@code 192.0.2.0/24} or {@code 2001:db8:0:0:0:0:0:0/64}; a text that is not an address is its own network. */
    static String of(String ip) {
        try {
            var address = InetAddress.ofLiteral(ip);
            byte[] bytes = address.getAddress();
            int prefixBytes = address instanceof Inet4Address ? IPV4_BYTES : IPV6_BYTES;
            Arrays.fill(bytes, prefixBytes, bytes.length, (byte) 0);
            return InetAddress.getByAddress(bytes).getHostAddress() + "/" + prefixBytes * Byte.SIZE;
        } catch (IllegalArgumentException | UnknownHostException _) {
            return ip;
        }
    }
}
