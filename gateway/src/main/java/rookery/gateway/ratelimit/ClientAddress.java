// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/** The address of a client. */
public record ClientAddress(InetAddress address) {
    private static final int PREFIX_BYTES = 8; // one IPv6 client usually has a whole /64

    /** Canonical text; IPv6 as in RFC 5952. */
    public String text() {
        return NetUtil.toAddressString(address);
    }

    /** The key for limits: the address, or the /64 prefix of IPv6. */
    public String counted() {
        return address instanceof Inet6Address six
                ? HexFormat.of().formatHex(six.getAddress(), 0, PREFIX_BYTES)
                : text();
    }
}
