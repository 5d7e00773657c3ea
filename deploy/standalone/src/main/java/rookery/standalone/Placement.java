package rookery.standalone;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import rookery.embedded.Ports;

/**
 * Where one instance of a service runs. It keeps its name and ports when it is started again, so that its keys return to it.
 *
 * @param port of the service itself; only a gateway's is open to other machines
 */
record Placement(Service service, int number, int port, int managementPort) {
    /** Such as {@code room-service-1}. */
    String name() {
        return service.title() + "-" + number;
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    String managementAddress() {
        return "127.0.0.1:" + managementPort;
    }

    /** A place for each instance that was asked for: gateways from the public port up, all others where there is room. */
    static List<Placement> of(Options options) {
        var taken = new HashSet<Integer>();
        var places = new ArrayList<Placement>();
        for (var service : Service.values()) {
            for (int number = 1; number <= options.count(service); number++) {
                int port = service == Service.GATEWAY ? options.port() + number - 1 : free(taken);
                places.add(new Placement(service, number, port, free(taken)));
            }
        }
        return places;
    }

    private static int free(Set<Integer> taken) {
        int port = Ports.free();
        while (!taken.add(port)) {
            port = Ports.free();
        }
        return port;
    }
}
