// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Child;
import rookery.embedded.Ports;
import rookery.model.id.ServerName;
import rookery.program.Complaint;

/** A run of Rookery, from the first check to the last stop. */
final class Launch {
    private final Options options;
    private final @Nullable Path binaries;
    private final StartCache cache;
    private final Console console;
    private final Guard guard;

    private volatile List<ServerName> openTenants = List.of();
    private @Nullable DataFolder data;
    private @Nullable Servers servers;
    private @Nullable Services services;
    private @Nullable ControlPort control;

    /**
     * Creates a run without side effects.
     *
     * @param binaries the folder of unpacked programs, shared by all data folders; null for a folder in the data folder
     */
    Launch(Options options, @Nullable Path binaries, StartCache cache, Console console) {
        this.options = options;
        this.binaries = binaries;
        this.cache = cache;
        this.console = console;
        this.guard = new Guard(console);
    }

    /** Locks the data folder. Called first, before the first log line. Returns the folder of the logs. */
    synchronized Path open() {
        for (int gateway = 0; gateway < options.count(Service.GATEWAY); gateway++) {
            refuseTaken(options.port + gateway);
            Ports.keep(
                    options.port + gateway); // the gateway starts last; no other process of this run may take its port
        }
        var opened = DataFolder.open(options.data, options.fresh, options.serverName.value());
        data = opened;
        return opened.folder("logs");
    }

    /** Starts all servers and services. Returns when the public port reports ready. */
    void start() {
        if (options.listen.isLoopbackAddress() && options.publicUrl == null) {
            startAll();
            return;
        }
        try (var registration = new OpenRegistration(options)) {
            startAll();
            openTenants = registration.tenants();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tenants with open registration; empty while only this machine reaches the run. */
    List<ServerName> openTenants() {
        return openTenants;
    }

    private void startAll() {
        var folder = requireOpen();
        var logs = folder.folder("logs");
        var unpacked = binaries == null ? folder.folder("servers") : binaries;
        console.step("starting PostgreSQL, Kafka and Redis in " + folder.path());
        var started = Servers.start(folder, options.serverNames(), unpacked, cache.kafkaFlags(), console);
        keep(started);
        var instances = new InstanceFiles(folder.path().resolve("instances"));
        instances.clear();
        var places = Placement.of(options);
        var configuration =
                new InstanceConfiguration(folder.folder("config"), options, folder.installation(), instances, started);
        var readiness = new Readiness(folder.installation(), place -> {
            if (options.isCluster()) { // in one JVM each service prints its own line
                console.step("%s is ready (%s)".formatted(place.name(), place.address()));
            }
        });
        console.step(options.isCluster() ? "starting %d instances".formatted(places.size()) : "starting the services");
        var chosen = options.isCluster()
                ? new Cluster(
                        options, places, configuration, instances, readiness, guard, folder, cache.instanceFlags())
                : new OneJvm(places, configuration, instances, readiness, logs.resolve("rookery.log"), console);
        keep(chosen);
        chosen.start(started::complainOfTheDead);
        started.awaitKafka();
        console.timeline().log();
        guardServers(started, instances);
        keep(ControlPort.open(folder.folder("config"), request -> control(chosen, instances, request)));
    }

    /** The tenants of the data that nobody reaches: the options of this run leave them out, and no registry has them. */
    synchronized List<String> unservedTenants() {
        return servers == null ? List.of() : servers.unserved(options.serverNames());
    }

    /** Executes a request of another {@code deploy/run}. Returns a description. */
    private String control(Services running, InstanceFiles instances, ControlRequest request) {
        var subject = request.subject();
        var done = switch (request.verb()) {
            case ADD -> {
                var service = Service.named(subject)
                        .orElseThrow(() -> Complaint.failure(
                                "there is no service %s; services are %s".formatted(subject, Service.names())));
                var place = running.add(service);
                yield "%s was added at %s".formatted(place.name(), place.address());
            }
            case STOP -> {
                running.stop(subject);
                yield subject + " was stopped";
            }
            case KILL -> {
                long pid = instances.pid(subject);
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                yield "%s (pid %d) was killed and will be started again".formatted(subject, pid);
            }
        };
        console.step(done);
        return done;
    }

    /** Stops services before servers, so that no data are lost. */
    synchronized void stop() {
        guard.close();
        if (control != null) {
            control.close();
        }
        if (services != null) {
            services.close();
        }
        if (servers != null) {
            servers.close();
        }
        if (data != null) {
            data.close();
        }
    }

    private synchronized DataFolder requireOpen() {
        return data == null ? throwNotOpen() : data;
    }

    private static DataFolder throwNotOpen() {
        throw new IllegalStateException("open first");
    }

    private synchronized void keep(Servers started) {
        servers = started;
    }

    private synchronized void keep(ControlPort opened) {
        control = opened;
    }

    private synchronized void keep(Services started) {
        services = started;
    }

    private void guardServers(Servers started, InstanceFiles instances) {
        var postgres = started.postgres();
        var kafka = started.kafka();
        var redis = started.redis();
        guard(instances, "postgres-1", postgres.port(), postgres::child, postgres::startAgain);
        guard(instances, "kafka-1", kafka.port(), kafka::child, kafka::startAgain);
        guard(instances, "redis-1", redis.port(), redis::child, redis::startAgain);
    }

    private void guard(InstanceFiles instances, String name, int port, Supplier<Child> child, Runnable startAgain) {
        instances.write(name, port, child.get());
        guard.watch(new Guard.GuardedChild(child.get().name(), child, () -> instances.remove(name), () -> {
            startAgain.run();
            instances.write(name, port, child.get());
        }));
    }

    private static void refuseTaken(int port) {
        if (!Ports.canListen(new InetSocketAddress(port))) {
            throw Complaint.failure(
                    "port %d is taken: stop what listens there, or choose another one with --port".formatted(port));
        }
    }
}
