package rookery.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.id.ServerName;

/**
 * What the person at the keyboard asked for.
 *
 * @param listen the address that the public ports listen on
 * @param pushToPrivate whether pushers may name gateways without a certificate and in private networks
 * @param tenants further tenants beside the server name
 * @param request what is wanted of the run that uses the data folder; null to start one
 * @param cluster instances by service, one JVM each; null for all services in the launcher's own JVM
 */
record Options(
        InetAddress listen,
        int port,
        Path data,
        boolean fresh,
        String serverName,
        int maxRequests,
        boolean pushToPrivate,
        List<String> tenants,
        @Nullable Map<Service, Integer> cluster,
        @Nullable ControlRequest request,
        boolean help) {

    private static final int PORT_MAX = 65_535;
    private static final int INSTANCES_MAX = 16;
    private static final int REQUESTS_MAX = 1_000_000_000;

    Options {
        tenants = List.copyOf(tenants);
    }

    /** How many instances of the service run. */
    int count(Service service) {
        return cluster == null ? 1 : cluster.getOrDefault(service, 1);
    }

    boolean isCluster() {
        return cluster != null;
    }

    /** Where this machine reaches the public ports, as the host of an address is written. */
    String host() {
        if (listen.isAnyLocalAddress()) {
            return "127.0.0.1";
        }
        return listen instanceof Inet6Address ? "[" + listen.getHostAddress() + "]" : listen.getHostAddress();
    }

    /** For a run whose only users are our own: on another port, and without a limit for them. */
    Options forTraining(int other) {
        return new Options(
                listen, other, data, fresh, serverName, REQUESTS_MAX, pushToPrivate, tenants, cluster, request, help);
    }

    /** The text of {@code --help}, which {@code deploy/run} shows as well, without a JVM. */
    static String helpText() {
        try (var text = Options.class.getResourceAsStream("help.txt")) {
            return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Options parse(List<String> arguments, Path defaultData) {
        var parsing = new OptionsParser(defaultData);
        var words = arguments.iterator();
        while (words.hasNext()) {
            var word = words.next();
            int equals = word.indexOf('=');
            var option = word.startsWith("--") && equals > 0 ? word.substring(0, equals) : word;
            if (!OptionsParser.takesValue(option)) {
                parsing.flag(word);
            } else if (option.length() < word.length()) {
                parsing.value(option, word.substring(equals + 1));
            } else if (words.hasNext()) {
                parsing.value(option, words.next());
            } else {
                throw Complaint.usage(option + " needs a value; --help shows how it looks");
            }
        }
        return parsing.options();
    }

    /** The options as far as they are read. */
    private static final class OptionsParser {
        private static final List<String> WITH_VALUE = List.of(
                "--listen",
                "--port",
                "--data",
                "--server-name",
                "--max-requests",
                "--cluster",
                "--tenant",
                "--add",
                "--stop",
                "--kill");

        private InetAddress listen = InetAddress.getLoopbackAddress();
        private int port = 8008;
        private Path data;
        private boolean fresh;
        private String serverName = "localhost";
        private int maxRequests = 100;
        private boolean pushToPrivate;
        private final List<String> tenants = new ArrayList<>();
        private @Nullable Map<Service, Integer> cluster;
        private @Nullable ControlRequest request;
        private boolean help;

        OptionsParser(Path data) {
            this.data = data;
        }

        static boolean takesValue(String option) {
            return WITH_VALUE.contains(option);
        }

        void flag(String option) {
            switch (option) {
                case "--fresh" -> fresh = true;
                case "--push-to-private" -> pushToPrivate = true;
                case "--help", "-h" -> help = true;
                default -> throw Complaint.usage("unknown option %s; --help lists them all".formatted(option));
            }
        }

        void value(String option, String value) {
            switch (option) {
                case "--listen" -> listen = address(value);
                case "--port" -> port = number(option, value, 1, PORT_MAX);
                case "--data" -> data = path(value);
                case "--server-name" -> serverName = serverName(option, value);
                case "--max-requests" -> maxRequests = number(option, value, 1, REQUESTS_MAX);
                case "--cluster" -> cluster = cluster(value);
                case "--add" -> request(ControlRequest.Verb.ADD, value);
                case "--stop" -> request(ControlRequest.Verb.STOP, value);
                case "--kill" -> request(ControlRequest.Verb.KILL, value);
                case "--tenant" -> tenants.add(serverName(option, value));
                default -> throw new IllegalStateException(option);
            }
        }

        private void request(ControlRequest.Verb verb, String subject) {
            if (request != null) {
                throw Complaint.usage("one of --add, --stop and --kill at a time");
            }
            if (!subject.matches("[a-z0-9-]+")) {
                throw Complaint.usage("'%s' is no name of a service or an instance".formatted(subject));
            }
            request = new ControlRequest(verb, subject);
        }

        Options options() {
            int highest = port + (cluster == null ? 1 : cluster.getOrDefault(Service.GATEWAY, 1)) - 1;
            if (highest > PORT_MAX) {
                throw Complaint.usage(
                        "--port %d leaves no room for the ports of all gateways; take a lower one".formatted(port));
            }
            return new Options(
                    listen, port, data, fresh, serverName, maxRequests, pushToPrivate, tenants, cluster, request, help);
        }

        private static int number(String option, String value, int min, int max) {
            try {
                int number = Integer.parseInt(value);
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // said below
            }
            throw Complaint.usage("%s needs a number from %d to %d, not %s".formatted(option, min, max, value));
        }

        /** Only a number, so that nothing is looked up. */
        private static InetAddress address(String value) {
            try {
                return InetAddress.ofLiteral(value);
            } catch (IllegalArgumentException _) {
                throw Complaint.usage(
                        "--listen needs an address such as 127.0.0.1, or 0.0.0.0 for all of them, not '%s'"
                                .formatted(value));
            }
        }

        private static Path path(String value) {
            try {
                if (!value.isBlank()) {
                    return Path.of(value).toAbsolutePath().normalize();
                }
            } catch (InvalidPathException _) {
                // said below
            }
            throw Complaint.usage("--data needs a folder, not '%s'".formatted(value));
        }

        private static String serverName(String option, String value) {
            try {
                return new ServerName(value).value();
            } catch (ApiException _) {
                throw Complaint.usage(
                        "%s needs a name such as localhost or chat.example, not '%s'".formatted(option, value));
            }
        }

        private static Map<Service, Integer> cluster(String value) {
            var counts = new EnumMap<Service, Integer>(Service.class);
            for (var part : value.split(",", -1)) {
                var words = part.strip().split("=", -1);
                var service = Service.named(words[0]);
                if (words.length != 2 || service.isEmpty()) {
                    throw Complaint.usage(
                            "--cluster needs a list such as gateway=1,room=2,sync=2, and '%s' is none of it; services are %s"
                                    .formatted(part, Service.names()));
                }
                counts.put(service.get(), number("--cluster " + words[0], words[1], 1, INSTANCES_MAX));
            }
            return counts;
        }
    }
}
