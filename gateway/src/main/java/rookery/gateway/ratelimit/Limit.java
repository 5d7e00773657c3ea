// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import rookery.model.ratelimit.RateLimit;
import rookery.platform.ratelimit.Cidr;
import rookery.platform.ratelimit.RateLimitProperties;

/** The rate limit of a tenant. A different version starts all windows anew; 0 is the version of the configured limit. */
record Limit(boolean enabled, int maxRequests, long windowMs, List<Cidr> exempt, boolean perUser, long version) {
    static Limit of(RateLimitProperties configured) {
        return new Limit(
                configured.enabled(),
                configured.maxRequests(),
                configured.window().toMillis(),
                networks(configured.exemptIps()),
                configured.perUser(),
                0);
    }

    static Limit of(RateLimit set) {
        return new Limit(
                set.enabled(),
                set.maxRequests(),
                Duration.ofSeconds(set.windowSeconds()).toMillis(),
                networks(set.exemptIps()),
                Boolean.TRUE.equals(set.perUser()),
                set.updatedAt());
    }

    /** The limit of all requests of a tenant together, in windows of a second. */
    static Limit ofTenant(long perSecond) {
        return new Limit(true, (int) Math.min(perSecond, Integer.MAX_VALUE), 1000, List.of(), false, 0);
    }

    private static List<Cidr> networks(List<String> texts) {
        return texts.stream().map(Cidr::parse).toList();
    }

    boolean countsFor(InetAddress address) {
        return enabled && exempt.stream().noneMatch(network -> network.contains(address));
    }
}
