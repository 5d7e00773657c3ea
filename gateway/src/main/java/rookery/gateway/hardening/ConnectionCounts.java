package rookery.gateway.hardening;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import rookery.gateway.ratelimit.ClientAddress;
import rookery.gateway.ratelimit.ClientAddresses;
import rookery.platform.ratelimit.Cidr;

/**
 * How many connections each address has open at this gateway. Beyond the limit a new one is closed at once: a parked poll costs
 * nothing but its connection, so that nobody may have all of them. Proxies that are trusted are not limited, since they come for many.
 */
@Component
final class ConnectionCounts {
    private static final Logger log = LoggerFactory.getLogger(ConnectionCounts.class);
    private static final long COMPLAINT_NANOS = 60_000_000_000L;

    private final ConcurrentHashMap<String, Integer> open = new ConcurrentHashMap<>();
    private final AtomicLong complainedNanos = new AtomicLong(System.nanoTime() - COMPLAINT_NANOS);
    private final int most;
    private final List<Cidr> unlimited;
    private final ClientAddresses addresses;
    private final Counter refused;

    ConnectionCounts(ConnectionProperties limits, ClientAddresses addresses, MeterRegistry meters) {
        this.most = limits.perAddress();
        this.unlimited = limits.unlimited().stream().map(Cidr::parse).toList();
        this.addresses = addresses;
        this.refused = Counter.builder("gateway_connections_refused")
                .description("connections that were closed because their address had too many")
                .register(meters);
    }

    /** Whether the peer may have one more; if so it is counted until it is closed. */
    boolean admit(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress socket) || socket.getAddress() == null) {
            return true;
        }
        var address = socket.getAddress();
        if (addresses.isTrusted(address) || isUnlimited(address)) {
            return true;
        }
        String counted = new ClientAddress(address).counted();
        if (open.merge(counted, 1, Integer::sum) > most) {
            closed(counted);
            refuse(counted);
            return false;
        }
        channel.closeFuture().addListener(_ -> closed(counted));
        return true;
    }

    private boolean isUnlimited(InetAddress address) {
        return unlimited.stream().anyMatch(network -> network.contains(address));
    }

    private void closed(String counted) {
        open.computeIfPresent(counted, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Counted each time and said now and then: there may be thousands a second. */
    private void refuse(String counted) {
        refused.increment();
        long now = System.nanoTime();
        long before = complainedNanos.get();
        if (now - before >= COMPLAINT_NANOS && complainedNanos.compareAndSet(before, now)) {
            log.atWarn()
                    .addKeyValue("address", counted)
                    .addKeyValue("most", most)
                    .log(
                            "an address has too many connections; if it is a proxy, name it in rookery.client-address.trusted-proxies");
        }
    }
}
