// SPDX-License-Identifier: Apache-2.0
package rookery.platform.ratelimit;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** A network, such as {@code 10.1.0.0/16} or {@code 2001:db8::/32}; a single address is a network of one. */
public record Cidr(InetAddress network, int bits) {
    /** Parses a network; IllegalArgumentException with the expected form. */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        var network = address(slash < 0 ? text : text.substring(0, slash));
        if (network == null) {
            throw new IllegalArgumentException(
                    "not a network: " + text + "; write it like 10.1.0.0/16 or 2001:db8::/32");
        }
        int most = network.getAddress().length * Byte.SIZE;
        int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException("not a network: " + text + "; the number of bits is at most " + most);
        }
        return new Cidr(network, bits);
    }

    public boolean contains(InetAddress address) {
        byte[] mine = network.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (mine[i] != other[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || ((mine[whole] ^ other[whole]) & (0xFF << (Byte.SIZE - rest))) == 0;
    }

    /** Parses an address without DNS, or returns null. An IPv4-mapped IPv6 address is the IPv4 address. */
    public static @Nullable InetAddress address(String text) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        try {
            return bytes == null ? null : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
