package rookery.standalone;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import rookery.embedded.Child;
import rookery.embedded.Deadline;
import rookery.program.Complaint;

/** Each instance of each service in a JVM of its own, on the launcher's class path. One that ends is started again. */
final class Cluster implements Services {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);

    /** An instance that answers but waits for others is listed after this time, since others may wait for it. */
    private static final Duration UNREADY_PATIENCE = Duration.ofSeconds(10);

    /** The gateways and services look once a second for who is there. */
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
            list(place, launch(place)); // they look for each other while they start
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

    /** It is not counted from here on, so that two cannot both leave the other one as the last. */
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
                        "%s is the only one of its service: --kill lets it come back, Ctrl-C stops everything"
                                .formatted(name));
            }
            places.remove(place);
            return place;
        }
    }

    /**
     * Until then requests still come to it. Every process reads the folder of instances once a second, and tells nobody that it did: it
     * gets twice that. One that is later than that is refused a connection, and asks another instance.
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
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmFlags.ofInstance(place.service()));
        command.addAll(jvmFlags);
        command.add("-Drookery.log.file=" + log(place));
        command.add("-Drookery.log.console=OFF"); // what it prints goes to a file, too
        command.add("-cp");
        command.add(absoluteClassPath());
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

    /** The instances work in another folder than we do. */
    private static String absoluteClassPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
