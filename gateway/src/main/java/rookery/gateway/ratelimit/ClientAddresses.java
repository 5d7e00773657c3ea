// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.platform.ratelimit.Cidr;

/**
 * Determines the client's address: the peer address, or the right-most untrusted address of {@code X-Forwarded-For} if the peer
 * is a trusted proxy (contract.md 2.6).
 */
@Component
public class ClientAddresses {
    private final List<Cidr> trusted;

    ClientAddresses(ClientAddressProperties properties) {
        trusted = properties.trustedProxies().stream().map(Cidr::parse).toList();
    }

    /** The client's address; {@code forwardedFor} are the header's values in order. */
    public ClientAddress of(@Nullable InetSocketAddress peer, List<String> forwardedFor) {
        var nearest = peer == null ? null : peer.getAddress();
        var client = nearest == null ? InetAddress.getLoopbackAddress() : nearest;
        if (!isTrusted(client)) {
            return new ClientAddress(client);
        }
        for (String value : forwardedFor.reversed()) {
            var hops = List.of(value.split(",", -1)).reversed();
            for (String hop : hops) {
                var before = Cidr.address(withoutPort(hop.strip()));
                if (before == null) {
                    return new ClientAddress(client); // entries left of a malformed entry are untrusted
                }
                client = before;
                if (!isTrusted(client)) {
                    return new ClientAddress(client);
                }
            }
        }
        return new ClientAddress(Objects.requireNonNull(client));
    }

    /** Whether the address belongs to a trusted proxy. */
    public boolean isTrusted(InetAddress address) {
        return trusted.stream().anyMatch(network -> network.contains(address));
    }

    private static String withoutPort(String hop) {
        if (hop.startsWith("[")) {
            int end = hop.indexOf(']');
            return end < 0 ? hop : hop.substring(1, end);
        }
        int colon = hop.indexOf(':');
        return colon >= 0 && colon == hop.lastIndexOf(':') ? hop.substring(0, colon) : hop;
    }
}
