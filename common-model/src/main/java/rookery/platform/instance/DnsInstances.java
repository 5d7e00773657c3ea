// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds instances by DNS: every address of a name is one instance, as with a headless service of Kubernetes or a scaled service
 * of Docker Compose. A name that does not resolve keeps its last instances: removed instances refuse connections, and an outage
 * of the name server must not remove all of them.
 */
final class DnsInstances {
    static {
        // Java otherwise caches addresses for 30 s. If the process has resolved a name before, only the flags
        // -Dsun.net.inetaddr.ttl=1 and -Dsun.net.inetaddr.negative.ttl=0 have the same effect.
        Security.setProperty("networkaddress.cache.ttl", "1");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
    }

    private final @Nullable Integer managementPort;
    private final Map<String, List<Instance>> byService = new HashMap<>();

    DnsInstances(@Nullable Integer managementPort) {
        this.managementPort = managementPort;
    }

    /**
     * Resolves the instances, named after the service and their address, ordered by address.
     *
     * @param name {@code host:port}
     */
    List<Instance> find(String service, String name) {
        int colon = name.lastIndexOf(':');
        try {
            var addresses = InetAddress.getAllByName(name.substring(0, colon));
            byService.put(
                    service,
                    Arrays.stream(addresses)
                            .map(DnsInstances::text)
                            .sorted(Comparator.naturalOrder())
                            .map(host -> new Instance(
                                    service + "-" + host,
                                    host + name.substring(colon),
                                    managementPort == null ? null : host + ":" + managementPort))
                            .toList());
        } catch (UnknownHostException _) {
            byService.putIfAbsent(service, List.of());
        }
        return byService.getOrDefault(service, List.of());
    }

    /** The address in the form of a URI. */
    static String text(InetAddress address) {
        return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
    }
}
