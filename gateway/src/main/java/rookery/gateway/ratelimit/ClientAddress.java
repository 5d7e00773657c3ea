package rookery.gateway.ratelimit;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/** Where a request comes from. */
public record ClientAddress(InetAddress address) {
    private static final int PREFIX_BYTES = 8; // whoever has one IPv6 address has its /64

    /** Canonical text; IPv6 as RFC 5952 writes it. */
    public String text() {
        return NetUtil.toAddressString(address);
    }

    /** What is counted as one. */
    public String counted() {
        return address instanceof Inet6Address six
                ? HexFormat.of().formatHex(six.getAddress(), 0, PREFIX_BYTES)
                : text();
    }
}
