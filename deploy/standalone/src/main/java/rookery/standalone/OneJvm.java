// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import rookery.platform.http.LocalServices;
import rookery.program.Complaint;

/**
 * Runs all services as Spring contexts in the launcher's JVM. The contexts share the class path, and the registry by which the
 * gateway calls the others.
 */
final class OneJvm implements Services {
    private final List<Placement> places;
    private final InstanceConfiguration configuration;
    private final InstanceFiles instances;
    private final Readiness readiness;
    private final Path log;
    private final Console console;
    private final LocalServices services = new LocalServices();
    private final Queue<ConfigurableApplicationContext> contexts = new ConcurrentLinkedQueue<>();

    OneJvm(
            List<Placement> places,
            InstanceConfiguration configuration,
            InstanceFiles instances,
            Readiness readiness,
            Path log,
            Console console) {
        this.places = places;
        this.configuration = configuration;
        this.instances = instances;
        this.readiness = readiness;
        this.log = log;
        this.console = console;
    }

    @Override
    public void start(Runnable check) {
        long pid = ProcessHandle.current().pid();
        places.forEach(place -> instances.write(place, pid, log)); // starting services call each other
        try (var threads = threads()) {
            var starts = places.stream()
                    .map(place -> CompletableFuture.runAsync(() -> start(place), threads))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(starts).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof Complaint complaint ? complaint : e;
        }
        console.timeline().during("readiness of all services", () -> readiness.await(places, check));
    }

    @Override
    public Placement add(Service service) {
        throw notACluster();
    }

    @Override
    public void stop(String name) {
        throw notACluster();
    }

    private static Complaint notACluster() {
        return Complaint.failure(
                "this run has all services in one JVM: only a run with --cluster can add and stop instances");
    }

    @Override
    public void close() {
        try (var threads = threads()) {
            contexts.forEach(context -> threads.execute(context::close));
        }
    }

    private void start(Placement place) {
        var steps = Timeline.steps();
        try {
            contexts.add(new SpringApplicationBuilder(place.service().application())
                    .properties("spring.config.name=" + place.service().title())
                    .applicationStartup(steps)
                    .initializers(context -> context.getBeanFactory().registerSingleton("localServices", services))
                    .registerShutdownHook(false) // the launcher's hook closes the services before the servers
                    .run(configuration.write(place)));
            console.timeline().add(place.name(), steps);
            console.step(place.name() + " started");
        } catch (RuntimeException e) {
            throw Complaint.failure(
                    "%s did not start: %s (all of it in %s)".formatted(place.name(), Causes.rootMessage(e), log));
        }
    }

    private static ExecutorService threads() {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("service-", 1).factory());
    }
}
