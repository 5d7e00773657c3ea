// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import rookery.platform.ratelimit.Cidr;

/**
 * Determines the client's address: the peer address, or the right-most untrusted address of {@code X-Forwarded-For} if the peer
 * is a trusted proxy (contract.md 2.6).
 */
@Component
public class ClientAddresses {
    private static final Logger log = LoggerFactory.getLogger(ClientAddresses.class);

    private final List<Cidr> trusted;
    private final Counter ignored;
    private final AtomicBoolean isSaid = new AtomicBoolean();

    ClientAddresses(ClientAddressProperties properties, MeterRegistry meters) {
        trusted = properties.trustedProxies().stream().map(Cidr::parse).toList();
        ignored = Counter.builder("gateway_forwarded_ignored")
                .description("requests with an X-Forwarded-For of an address that is no trusted proxy")
                .register(meters);
    }

    /** The client's address; {@code forwardedFor} are the header's values in order. */
    public ClientAddress of(@Nullable InetSocketAddress peer, List<String> forwardedFor) {
        var nearest = peer == null ? null : peer.getAddress();
        var client = nearest == null ? InetAddress.getLoopbackAddress() : nearest;
        var hops = nearestFirst(forwardedFor);
        while (isTrusted(client) && hops.hasNext()) {
            var before = Cidr.address(withoutPort(hops.next().strip()));
            if (before == null) {
                return new ClientAddress(client); // entries left of a malformed entry are untrusted
            }
            client = before;
        }
        var address = new ClientAddress(client);
        if (hops.hasNext()) {
            disbelieve(address);
        }
        return address;
    }

    private static Iterator<String> nearestFirst(List<String> forwardedFor) {
        return forwardedFor.reversed().stream()
                .flatMap(value -> List.of(value.split(",", -1)).reversed().stream())
                .iterator();
    }

    /** Says it once, because clients may send the header as well, and then with every request. */
    private void disbelieve(ClientAddress sender) {
        ignored.increment();
        if (!isSaid.getAndSet(true)) {
            log.atWarn()
                    .addKeyValue("address", sender.text())
                    .addKeyValue(
                            "advice",
                            "if a proxy of yours has this address, name it in rookery.client-address.trusted-proxies, or all its"
                                    + " clients share one limit")
                    .log("x-forwarded-for of an address that is no trusted proxy is ignored; this is said once");
        }
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
