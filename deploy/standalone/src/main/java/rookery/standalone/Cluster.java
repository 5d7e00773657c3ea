// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import rookery.embedded.Child;
import rookery.embedded.Deadline;
import rookery.program.Complaint;

/** Runs each instance of each service in its own JVM, on the launcher's class path. An instance that ends is restarted. */
final class Cluster implements Services {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);

    /** A restarted instance that answers but is not ready is listed after this time, because other instances may wait for it. */
    private static final Duration UNREADY_PATIENCE = Duration.ofSeconds(10);

    /** Gateways and services read the folder of instances once a second; twice that interval. */
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private static final int INSTANCES_MAX = 16;

    private final Options options;
    private final List<Placement> places;
    private final InstanceConfiguration configuration;
    private final InstanceFiles instances;
    private final Readiness readiness;
    private final Guard guard;
    private final DataFolder data;
    private final List<String> jvmFlags;
    private final Map<Placement, Child> children = new ConcurrentHashMap<>();

    Cluster(
            Options options,
            List<Placement> places,
            InstanceConfiguration configuration,
            InstanceFiles instances,
            Readiness readiness,
            Guard guard,
            DataFolder data,
            List<String> jvmFlags) {
        this.options = options;
        this.places = new ArrayList<>(places);
        this.configuration = configuration;
        this.instances = instances;
        this.readiness = readiness;
        this.guard = guard;
        this.data = data;
        this.jvmFlags = jvmFlags;
    }

    @Override
    public void start(Runnable check) {
        for (var place : places) {
            list(place, launch(place)); // starting services call each other
        }
        readiness.await(places, () -> {
            check.run();
            complainOfTheDead();
        });
        places.forEach(this::watch);
    }

    private void watch(Placement place) {
        guard.watch(new Guard.GuardedChild(
                place.name(), () -> child(place), () -> instances.remove(place.name()), () -> startAgain(place)));
    }

    @Override
    public Placement add(Service service) {
        var place = placeOfOneMore(service);
        var child = launch(place);
        boolean isReady = Deadline.in(START_PATIENCE)
                        .until(Readiness.pause(place), () -> !child.isAlive() || readiness.isReady(place))
                && child.isAlive();
        if (!isReady) {
            var failure = child.isAlive()
                    ? Complaint.failure("%s did not become ready within %d s; its log is %s"
                            .formatted(place.name(), START_PATIENCE.toSeconds(), log(place)))
                    : died(place, child);
            child.stop(Child.Signal.TERM, STOP_PATIENCE);
            forget(place);
            throw failure;
        }
        list(place, child);
        watch(place);
        return place;
    }

    private Placement placeOfOneMore(Service service) {
        synchronized (places) {
            if (places.stream().filter(place -> place.service() == service).count() >= INSTANCES_MAX) {
                throw Complaint.failure(
                        "%d instances of %s run already".formatted(INSTANCES_MAX, service.shortTitle()));
            }
            var place = Placement.further(service, options, places);
            places.add(place);
            return place;
        }
    }

    @Override
    public void stop(String name) {
        var place = placeOfOneLess(name);
        guard.release(name);
        instances.remove(name);
        waitUntilNoticed();
        child(place).stop(Child.Signal.TERM, STOP_PATIENCE);
        children.remove(place);
    }

    /**
     * Removes the instance from the count first, so that two concurrent stops cannot both leave the other instance as the last.
     */
    private Placement placeOfOneLess(String name) {
        synchronized (places) {
            var place = places.stream()
                    .filter(one -> one.name().equals(name) && children.containsKey(one))
                    .findFirst()
                    .orElseThrow(() -> Complaint.failure("there is no %s; running are %s"
                            .formatted(
                                    name, places.stream().map(Placement::name).collect(Collectors.joining(", ")))));
            if (places.stream().filter(one -> one.service() == place.service()).count() == 1) {
                throw Complaint.failure(
                        "%s is the last instance of its service: --kill restarts it, Ctrl-C stops everything"
                                .formatted(name));
            }
            places.remove(place);
            return place;
        }
    }

    /**
     * Waits until no process routes requests to the instance. Each process reads the folder of instances once a second without
     * confirmation, so the wait is two seconds. A slower process gets a refused connection and retries on another instance.
     */
    private static void waitUntilNoticed() {
        try {
            Thread.sleep(NOTICED);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void forget(Placement place) {
        synchronized (places) {
            places.remove(place);
        }
        children.remove(place);
    }

    @Override
    public void close() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            children.forEach((place, child) -> threads.execute(() -> {
                child.stop(Child.Signal.TERM, STOP_PATIENCE);
                instances.remove(place.name());
            }));
        }
    }

    private Child launch(Placement place) {
        var name = place.name();
        var command = new ArrayList<String>();
        command.add(Child.java());
        command.addAll(JvmFlags.ofInstance(place.service()));
        command.addAll(jvmFlags);
        command.add("-Drookery.log.file=" + log(place));
        command.add("-Drookery.log.console=OFF"); // standard output goes to a file, too
        command.add("-cp");
        command.add(Child.classPath());
        command.add(InstanceApplication.class.getName());
        command.add(place.service().title());
        command.addAll(List.of(configuration.write(place)));
        var printed = data.folder("logs").resolve(name + ".out");
        var child = Child.start(
                new Child.Program(name, List.of(), command, data.folder("config"), printed, Child.Signal.KILL));
        children.put(place, child);
        return child;
    }

    private void startAgain(Placement place) {
        var child = launch(place);
        var deadline = Deadline.in(START_PATIENCE);
        deadline.until(Readiness.pause(place), () -> !child.isAlive() || readiness.answers(place));
        Deadline.in(UNREADY_PATIENCE).until(Readiness.pause(place), () -> !child.isAlive() || readiness.isReady(place));
        if (!child.isAlive()) {
            throw died(place, child);
        }
        list(place, child);
    }

    private void list(Placement place, Child child) {
        instances.write(place, child.pid(), log(place));
    }

    private void complainOfTheDead() {
        children.forEach((place, child) -> {
            if (!child.isAlive()) {
                throw died(place, child);
            }
        });
    }

    private Complaint died(Placement place, Child child) {
        return Complaint.failure("%s died before it was ready: %s (all of it in %s)"
                .formatted(place.name(), child.lastWords(), log(place)));
    }

    private Child child(Placement place) {
        return Objects.requireNonNull(children.get(place));
    }

    private Path log(Placement place) {
        return data.folder("logs").resolve(place.name() + ".log");
    }
}
