package rookery.gateway.ratelimit;

import java.net.InetAddress;
import java.util.List;

/** The limit in force. */
record Limit(boolean enabled, int maxRequests, long windowMs, List<Cidr> exempt) {
    boolean countsFor(InetAddress address) {
        return enabled && exempt.stream().noneMatch(network -> network.contains(address));
    }
}
