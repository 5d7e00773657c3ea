// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.hardening;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import rookery.gateway.ratelimit.ClientAddress;
import rookery.gateway.ratelimit.ClientAddresses;
import rookery.platform.ratelimit.Cidr;

/**
 * Limits the open connections of each address and of all addresses together at this gateway. Beyond a limit, a new connection is
 * closed immediately: a parked poll costs hardly more than its connection, so without limits one client could occupy all
 * connections. Trusted proxies have no limit of their own, because each carries the connections of many clients. The total limit
 * includes trusted proxies: without free file descriptors the process can open no file and no connection.
 */
@Component
final class ConnectionCounts {
    private static final Logger log = LoggerFactory.getLogger(ConnectionCounts.class);
    private static final long COMPLAINT_NANOS = 60_000_000_000L;

    private final ConcurrentHashMap<String, Integer> open = new ConcurrentHashMap<>();
    private final AtomicLong complainedNanos = new AtomicLong(System.nanoTime() - COMPLAINT_NANOS);
    private final AtomicInteger all = new AtomicInteger();
    private final int most;
    private final int ofAllMax;
    private final List<Cidr> unlimited;
    private final ClientAddresses addresses;
    private final Counter refused;

    ConnectionCounts(ConnectionProperties limits, ClientAddresses addresses, MeterRegistry meters) {
        this.most = limits.perAddress();
        this.ofAllMax = limits.ofAllMax();
        this.unlimited = limits.unlimited().stream().map(Cidr::parse).toList();
        this.addresses = addresses;
        this.refused = Counter.builder("gateway_connections_refused")
                .description("connections that were closed because their address, or all together, had too many")
                .register(meters);
    }

    /** Whether the connection is within the limits; if so, the connection counts until closed. */
    boolean admit(Channel channel) {
        if (all.incrementAndGet() > ofAllMax) {
            all.decrementAndGet();
            refuse("all addresses", ofAllMax, "raise the limit of open files (ulimit -n), or add a gateway");
            return false;
        }
        if (!admitAddress(channel)) {
            all.decrementAndGet();
            return false;
        }
        channel.closeFuture().addListener(_ -> all.decrementAndGet());
        return true;
    }

    private boolean admitAddress(Channel channel) {
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
            refuse(counted, most, "if it is a proxy, name it in rookery.client-address.trusted-proxies");
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

    /** Counts every refusal, but logs at most one per minute: there may be thousands a second. */
    private void refuse(String counted, int limit, String advice) {
        refused.increment();
        long now = System.nanoTime();
        long before = complainedNanos.get();
        if (now - before >= COMPLAINT_NANOS && complainedNanos.compareAndSet(before, now)) {
            log.atWarn()
                    .addKeyValue("address", counted)
                    .addKeyValue("most", limit)
                    .addKeyValue("advice", advice)
                    .log("too many connections are open, and new ones are closed");
        }
    }
}
