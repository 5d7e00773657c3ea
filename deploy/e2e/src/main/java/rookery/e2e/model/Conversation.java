// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.model.ExpectedSection.Section;
import rookery.embedded.Deadline;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.TokenCodec;
import rookery.platform.http.KeyDerivation;
import rookery.platform.http.ServiceName;

/** The conversation of one seed: a few users with rooms of their own. */
final class Conversation {
    private static final int PEOPLE = 4;
    /** Connections of sliding sync. */
    private static final int SLIDING = 3;

    private static final int STACK_SHOWN = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final DeviceId SECOND_DEVICE = new DeviceId("SECOND");

    private final Stage stage;
    private final long seed;
    private final History history = new History();
    private final KnownEvents knownEvents = new KnownEvents();
    private final TenantId tenant;

    Conversation(Stage stage, long seed) {
        this.stage = stage;
        this.seed = seed;
        this.tenant = new TenantId(1 + Math.floorMod(seed, stage.tenants().size()));
    }

    private RandomGenerator random(int stream) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed * 1_000 + stream);
    }

    /** Plays and checks the conversation. */
    Verdict hold() throws IOException, InterruptedException {
        List<Person> people;
        try {
            people = gather();
        } finally {
            stage.gathered().release(); // also after a failure, so that no thread waits for these users
        }
        var users = people.stream().map(Person::id).toList();
        var devices = new ArrayList<>(people);
        devices.add(people.getFirst().on(SECOND_DEVICE));
        var phases = Phases.of(devices.size() + SLIDING);
        var actors = new ArrayList<Actor>();
        for (int i = 0; i < people.size(); i++) {
            var name = "%d.%d".formatted(seed, i);
            actors.add(new Actor(people.get(i), people, stage, knownEvents, history, random(i), name));
        }
        actors.getFirst().createRoom();
        var listeners = new ArrayList<Listener>();
        for (int i = 0; i < devices.size(); i++) {
            listeners.add(new Listener(devices.get(i), users, knownEvents, history, random(100 + i), phases, stage));
        }
        var sliding = new ArrayList<SlidingListener>();
        for (int i = 0; i < SLIDING; i++) {
            // two connections of one device, and one of another user
            sliding.add(new SlidingListener(
                    people.get(i / 2), "connection-" + i, knownEvents, history, random(200 + i), phases, stage));
        }
        play(actors, listeners, sliding, phases);
        return Verdict.of(seed, evidence(), new Demands(!stage.faults(), stage.counts()));
    }

    private void play(List<Actor> actors, List<Listener> listeners, List<SlidingListener> sliding, Phases phases)
            throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var listening = Stream.<Runnable>concat(listeners.stream(), sliding.stream())
                    .map(threads::submit)
                    .toList();
            await(phases.ready());
            actors.stream().map(threads::submit).toList().forEach(this::finish);
            stage.awaitQuiet();
            listeners.forEach(Listener::close);
            sliding.forEach(SlidingListener::close);
            await(phases.parked());
            actors.forEach(actor -> actor.keepData(null)); // the polls may or may not have reached the server
            phases.lastAction().countDown();
            listening.forEach(this::finish);
            if (stage.counts()) {
                var evidence = evidence();
                var deadline = Deadline.in(stage.settleWithin());
                long begunNanos = System.nanoTime();
                listeners.stream()
                        .map(listener -> threads.submit(() -> listener.settle(evidence, deadline)))
                        .toList()
                        .forEach(this::finish);
                history.settledAfter(Duration.ofNanos(System.nanoTime() - begunNanos));
            }
        }
    }

    private void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            history.trouble("the clients hang");
        }
    }

    private void finish(Future<?> task) {
        try {
            task.get();
        } catch (ExecutionException e) {
            var cause = Objects.requireNonNullElse(e.getCause(), e);
            history.trouble("a client failed: %s at %s"
                    .formatted(
                            cause,
                            Arrays.stream(cause.getStackTrace())
                                    .limit(STACK_SHOWN)
                                    .toList()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private List<Person> gather() throws IOException, InterruptedException {
        var server = stage.tenants().get(tenant.value() - 1);
        var people = new ArrayList<Person>();
        var run = Integer.toString(new SecureRandom().nextInt(1 << 20), 36);
        stage.registrations().acquire();
        try (var http = Http.to(stage.rookery().site(server))) {
            for (int i = 0; i < PEOPLE; i++) {
                var session = Session.registerPatiently(http, "m%s-%d-%d".formatted(run, seed, i), history::foundBusy);
                people.add(new Person(
                        tenant,
                        new ServerName(server),
                        new UserId(session.userId()),
                        new DeviceId(session.deviceId()),
                        session.token()));
            }
        } finally {
            stage.registrations().release();
        }
        return people;
    }

    private Evidence evidence() {
        Set<String> rooms = new HashSet<>(knownEvents.rooms());
        for (var exchange : history.exchanges()) {
            for (var section : Section.values()) {
                exchange.rooms(section.word)
                        .propertyStream()
                        .map(Map.Entry::getKey)
                        .forEach(rooms::add);
            }
        }
        var key = KeyDerivation.derived(stage.rookery().internalKey(), ServiceName.TOKENS);
        return new Evidence(
                history,
                RoomLog.read(stage.rookery().database("room-service"), tenant, rooms),
                new TokenCodec(key, new SecureRandom()));
    }
}
