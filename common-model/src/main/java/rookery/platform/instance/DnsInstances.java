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
 * Instances behind names: every address that a name has is one, as with a headless service of Kubernetes or a scaled service of
 * Docker Compose. A name that nobody knows at the moment keeps the instances it had: those that are gone refuse connections, and a
 * name server that is away must not take all of them.
 */
final class DnsInstances {
    static {
        // Java keeps addresses for half a minute otherwise. Where a name was asked for earlier in the process, only the
        // flags
        // -Dsun.net.inetaddr.ttl=1 and -Dsun.net.inetaddr.negative.ttl=0 do the same.
        Security.setProperty("networkaddress.cache.ttl", "1");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
    }

    private final @Nullable Integer managementPort;
    private final Map<String, List<Instance>> known = new HashMap<>();

    DnsInstances(@Nullable Integer managementPort) {
        this.managementPort = managementPort;
    }

    /**
     * The instances now, called after the service and their address, in the order of their addresses.
     *
     * @param name {@code host:port}
     */
    List<Instance> find(String service, String name) {
        int colon = name.lastIndexOf(':');
        try {
            var addresses = InetAddress.getAllByName(name.substring(0, colon));
            known.put(
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
            known.putIfAbsent(service, List.of());
        }
        return known.getOrDefault(service, List.of());
    }

    /** As it stands in a URI. */
    static String text(InetAddress address) {
        return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
    }
}
