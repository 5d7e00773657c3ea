// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import rookery.model.id.ServerName;
import rookery.program.Complaint;
import rookery.program.Program;

/** The options of {@code deploy/run}. */
final class Options {
    /** The default server name. */
    static final String SERVER_NAME = "localhost";

    private static final int PORT_MAX = 65_535;
    private static final int INSTANCES_MAX = 16;
    private static final int REQUESTS_MAX = 1_000_000_000;
    private static final String NAME = "a name such as localhost or chat.example";

    /** The address of the public ports. */
    @Option(names = "--listen", paramLabel = "an address such as 127.0.0.1, or 0.0.0.0 for all of them")
    InetAddress listen = InetAddress.getLoopbackAddress();

    @Option(names = "--port")
    int port = 8008;

    @Option(names = "--data", paramLabel = "a folder")
    Path data;

    @Option(names = "--fresh")
    boolean fresh;

    @Option(names = "--server-name", paramLabel = NAME)
    ServerName serverName = new ServerName(SERVER_NAME);

    /** Where clients reach the proxy in front of the public port; null without a proxy. */
    @Option(names = "--public-url", paramLabel = "a URL such as https://chat.example")
    @Nullable
    URI publicUrl;

    @Option(names = "--max-requests")
    int maxRequests = 100;

    /** Whether pushers may use HTTP and gateways in private networks. */
    @Option(names = "--push-to-private")
    boolean pushToPrivate;

    /** Further tenants besides the server name. */
    @Option(names = "--tenant", paramLabel = NAME)
    List<ServerName> tenants = List.of();

    /** The number of instances of each service, each in its own JVM; null for all services in the launcher's JVM. */
    @Option(names = "--cluster", split = Program.COMMA, paramLabel = "a list such as gateway=1,room=2,sync=2")
    @Nullable
    Map<Service, Integer> cluster;

    /** A request to the run on the data folder; null to start a run. */
    @Nullable
    ControlRequest request;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true)
    boolean help;

    private Options(Path data) {
        this.data = data;
    }

    static Options parse(List<String> words, Path data) {
        var options = new Options(data);
        var line = Program.commandLine(options)
                .registerConverter(InetAddress.class, InetAddress::ofLiteral) // no DNS lookup
                .registerConverter(ServerName.class, ServerName::new)
                .registerConverter(Service.class, Options::service);
        Program.read(line, words);
        options.data = options.data.toAbsolutePath().normalize();
        options.check();
        return options;
    }

    @Option(names = "--add")
    void add(String service) {
        request(ControlRequest.Verb.ADD, service);
    }

    @Option(names = "--stop")
    void stop(String instance) {
        request(ControlRequest.Verb.STOP, instance);
    }

    @Option(names = "--kill")
    void kill(String process) {
        request(ControlRequest.Verb.KILL, process);
    }

    /** The number of instances of a service. */
    int count(Service service) {
        return cluster == null ? 1 : cluster.getOrDefault(service, 1);
    }

    /** The server names of all tenants; the data folder was made for the first. */
    List<ServerName> serverNames() {
        return Stream.concat(Stream.of(serverName), tenants.stream()).toList();
    }

    boolean isCluster() {
        return cluster != null;
    }

    /** The host by which this machine reaches the public ports, in URL syntax. */
    String host() {
        if (listen.isAnyLocalAddress()) {
            return "127.0.0.1";
        }
        return listen instanceof Inet6Address ? "[" + ipv6(listen) + "]" : listen.getHostAddress();
    }

    /**
     * The short form, {@code ::1}, because clients use that form in the Host header, which selects the tenant. Only link-local
     * addresses need their interface.
     */
    private static String ipv6(InetAddress address) {
        return address.isLinkLocalAddress() ? address.getHostAddress() : NetUtil.toAddressString(address);
    }

    /** The URL of the server for clients on this machine. */
    String url() {
        boolean isCalledLocalhost = listen.isAnyLocalAddress() || host().equals("127.0.0.1");
        return "http://%s:%d".formatted(isCalledLocalhost ? "localhost" : host(), port);
    }

    /** Sets the options of a run that makes the start caches: another port, no rate limit. */
    void train(int other) {
        port = other;
        maxRequests = REQUESTS_MAX;
    }

    /** The text of {@code --help}; {@code deploy/run} prints the same file without a JVM. */
    static String helpText() {
        return Program.resource(Options.class, "help.txt");
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

    private void check() {
        requireUpTo(PORT_MAX, "--port", port);
        requireUpTo(REQUESTS_MAX, "--max-requests", maxRequests);
        requirePublic(publicUrl);
        if (cluster != null) {
            cluster.forEach(
                    (service, number) -> requireUpTo(INSTANCES_MAX, "--cluster " + service.shortTitle(), number));
        }
        var names = new HashSet<ServerName>();
        serverNames().stream().filter(name -> !names.add(name)).findFirst().ifPresent(name -> {
            throw Complaint.usage(
                    "there are two tenants %s: name each once with --server-name or --tenant".formatted(name.value()));
        });
        if (port + count(Service.GATEWAY) - 1 > PORT_MAX) {
            throw Complaint.usage(
                    "--port %d leaves no room for the ports of all gateways; take a lower one".formatted(port));
        }
    }

    private static void requirePublic(@Nullable URI url) {
        if (url != null && (url.getHost() == null || !Set.of("http", "https").contains(url.getScheme()))) {
            throw Complaint.usage("--public-url needs a URL such as https://chat.example, not %s".formatted(url));
        }
    }

    private static void requireUpTo(int max, String option, int number) {
        if (number < 1 || number > max) {
            throw Complaint.usage("%s needs a number from 1 to %d, not %d".formatted(option, max, number));
        }
    }

    private static Service service(String name) {
        return Service.named(name)
                .orElseThrow(() -> Complaint.usage(
                        "--cluster: there is no service %s; services are %s".formatted(name, Service.names())));
    }
}
