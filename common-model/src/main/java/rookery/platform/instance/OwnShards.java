// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import rookery.model.id.Shards;

/**
 * The shards for which this instance follows the logs: its share among the ready instances of the service. The shards of a
 * stopped or unready instance move here within seconds.
 */
@Component
public final class OwnShards implements Supplier<Set<Integer>> {
    private static final Logger log = LoggerFactory.getLogger(OwnShards.class);

    private final Instances instances;
    private final OwnInstanceProperties own;

    OwnShards(Instances instances, OwnInstanceProperties own) {
        this.instances = instances;
        this.own = own;
    }

    @Override
    public Set<Integer> get() {
        if (!own.name().isEmpty()) {
            return instances.shardsOf(instance -> instance.name().equals(own.name()));
        }
        var hosts = ownHosts();
        return own.service().isEmpty()
                ? Shards.ALL
                : instances.shardsOf(instance -> instance.name().startsWith(own.service() + "-")
                        && hosts.contains(instance.address()
                                .substring(0, instance.address().lastIndexOf(':'))));
    }

    private static Set<String> ownHosts() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .map(DnsInstances::text)
                    .collect(Collectors.toSet());
        } catch (SocketException e) {
            log.atWarn().addKeyValue("cause", e.toString()).log("the addresses of this machine cannot be read");
            return Set.of();
        }
    }
}
