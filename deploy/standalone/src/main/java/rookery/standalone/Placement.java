// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import rookery.embedded.Ports;
import rookery.program.Complaint;

/**
 * The place of a service's instance. Name and ports survive a restart, so that rendezvous hashing routes the same keys to the
 * instance again.
 *
 * @param host the instance's host as seen from this machine
 * @param port of the service; only a gateway's port may be open to other machines
 */
record Placement(Service service, int number, String host, int port, int managementPort) {
    private static final String LOOPBACK = "127.0.0.1";

    /** Such as {@code room-service-1}. */
    String name() {
        return service.title() + "-" + number;
    }

    boolean isIpv6() {
        return host.startsWith("[");
    }

    String address() {
        return host + ":" + port;
    }

    String managementAddress() {
        return LOOPBACK + ":" + managementPort;
    }

    /** A place for each instance of the options: gateways from the public port upwards, other services on free ports. */
    static List<Placement> of(Options options) {
        var taken = new HashSet<Integer>();
        var places = new ArrayList<Placement>();
        for (var service : Service.values()) {
            for (int number = 1; number <= options.count(service); number++) {
                boolean isPublic = service == Service.GATEWAY;
                int port = isPublic ? options.port + number - 1 : free(taken);
                places.add(new Placement(service, number, isPublic ? options.host() : LOOPBACK, port, free(taken)));
            }
        }
        return places;
    }

    /** A place for one more instance, with the lowest free number. */
    static Placement further(Service service, Options options, List<Placement> others) {
        var numbers = others.stream()
                .filter(place -> place.service() == service)
                .map(Placement::number)
                .collect(Collectors.toSet());
        int number = 1;
        while (numbers.contains(number)) {
            number++;
        }
        var taken = new HashSet<Integer>();
        others.forEach(place -> taken.addAll(List.of(place.port(), place.managementPort())));
        boolean isPublic = service == Service.GATEWAY;
        int port = isPublic ? options.port + number - 1 : free(taken);
        if (isPublic && !Ports.canListen(new InetSocketAddress(port))) {
            throw Complaint.failure("port %d, which the gateway would have, is taken".formatted(port));
        }
        return new Placement(service, number, isPublic ? options.host() : LOOPBACK, port, free(taken));
    }

    private static int free(Set<Integer> taken) {
        int port = Ports.free();
        while (!taken.add(port)) {
            port = Ports.free();
        }
        return port;
    }
}
