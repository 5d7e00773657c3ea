// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Gap;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SlidingClient;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.api.UnexpectedAnswerException;
import tools.jackson.databind.JsonNode;

/**
 * An open loop: the members of equally large rooms wait in long polls, while messages are sent at fixed times independent of
 * earlier responses.
 */
final class Members implements AutoCloseable {
    private static final Duration LONG_POLL = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int PAGE = 1_000;

    private final Http http;
    private final RawConnections connections;
    private final List<Member> people;
    private final int rooms;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<Long, Phase> phases = new ConcurrentHashMap<>();
    private final List<Member> readers = new CopyOnWriteArrayList<>();
    private final long first =
            new SecureRandom().nextLong(1L << 50); // random, because several objects may use one room in turns
    private final AtomicLong numbers = new AtomicLong(first);
    private final Queue<MissedPart> missedParts = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;
    private volatile @Nullable Phase current;

    /**
     * A user with the user's room.
     *
     * @param seen the numbers of the messages that reached the user, less {@link #first}; guarded by itself
     */
    private record Member(Session session, String room, BitSet seen) {
        Member(Session session, String room) {
            this(session, room, new BitSet());
        }

        boolean hasSeen(long index) {
            synchronized (seen) {
                return seen.get(Math.toIntExact(index));
            }
        }

        /** @return whether the message is new to the user */
        boolean see(long index) {
            synchronized (seen) {
                boolean isNew = !seen.get(Math.toIntExact(index));
                seen.set(Math.toIntExact(index));
                return isNew;
            }
        }
    }

    /** The events that a limited timeline of the classic sync left out. */
    private record MissedPart(Member reader, Gap gap) {}

    /** The measurements of a period of sending. */
    static final class Phase {
        final Latencies acknowledged = new Latencies();
        final Latencies delivered = new Latencies();
        /** Latencies of refused sends, from the time at which they were due. */
        final Latencies refused = new Latencies();

        final AtomicInteger sent = new AtomicInteger();
        final AtomicInteger failed = new AtomicInteger();
        final AtomicInteger failedPolls = new AtomicInteger();
        /** Deliveries found by paging back through limited timelines, after the measurement. */
        final AtomicInteger paged = new AtomicInteger();
        /** Deliveries of a message that the member had received before. */
        final AtomicInteger doubled = new AtomicInteger();

        final Map<Long, Long> dueNanos = new ConcurrentHashMap<>();
        /** The rooms of the acknowledged messages, by number. */
        final Map<Long, String> rooms = new ConcurrentHashMap<>();
        /** Acknowledged messages that had not reached a connected member at the end, times those members. */
        volatile long lost;
    }

    /** The senders of one room; readers are connected later. */
    Members(Http http, List<Session> people, String room) {
        this(http, people.stream().map(person -> new Member(person, room)).toList(), 1);
    }

    private Members(Http http, List<Member> people, int rooms) {
        this.http = http;
        this.connections = new RawConnections(http.site());
        this.people = people;
        this.rooms = rooms;
    }

    /** Creates the rooms, registers and joins the members, and starts the long polls. */
    static Members gather(TenantAddress site, int rooms, int membersOfRoom, RandomGenerator random) throws IOException {
        return gather(site, rooms, membersOfRoom, random, false);
    }

    /** @param isSliding whether the members wait in sliding sync instead of the classic sync */
    static Members gather(TenantAddress site, int rooms, int membersOfRoom, RandomGenerator random, boolean isSliding)
            throws IOException {
        var http = Http.to(site);
        var name = "bench-" + HexFormat.of().toHexDigits(random.nextInt());
        var people = new ArrayList<Member>();
        for (int i = 1; i <= rooms; i++) {
            var creator = Session.register(http, name + "-" + i + "-1");
            var room = creator.createRoom(Map.of("preset", "public_chat", "name", "bench"));
            people.add(new Member(creator, room));
            for (int j = 2; j <= membersOfRoom; j++) {
                var person = Session.register(http, name + "-" + i + "-" + j);
                person.join(room);
                people.add(new Member(person, room));
            }
        }
        var members = new Members(http, List.copyOf(people), rooms);
        for (var person : people) {
            if (isSliding) {
                members.slide(person);
            } else {
                members.connect(person, person.session.sync(SyncQuery.initial()));
            }
        }
        return members;
    }

    /** Starts the long polls of a member of the single room, from the token of the response. */
    void connect(Session person, JsonNode answer) {
        connect(new Member(person, people.getFirst().room), answer);
    }

    private void connect(Member person, JsonNode answer) {
        readers.add(person);
        var since = answer.path("next_batch").asString();
        threads.execute(() -> poll(person, since));
    }

    private void slide(Member person) throws IOException {
        var client = new SlidingClient(person.session, "bench", true);
        client.list("all", 0, 99, new SlidingClient.Config(100, List.of("m.room.name")), Map.of());
        client.poll(0);
        readers.add(person);
        threads.execute(() -> slide(person, client));
    }

    private void slide(Member person, SlidingClient client) {
        while (!stopped) {
            try {
                var answer = client.poll((int) LONG_POLL.toMillis());
                long nowNanos = System.nanoTime();
                client.timeline(answer, person.room).forEach(event -> arrived(person, event, nowNanos));
            } catch (IOException | UnexpectedAnswerException _) {
                pollFailed();
            }
        }
    }

    private void pollFailed() {
        var phase = current;
        if (phase != null && !stopped) {
            phase.failedPolls.incrementAndGet();
        }
        LockSupport.parkNanos(PAUSE.toNanos());
    }

    /** Sends at a steady rate. Returns when every message has its response and its deliveries, or after ten seconds. */
    Phase send(double perSecond, Duration length) {
        var phase = offer(perSecond, length);
        awaitEnd(phase);
        return phase;
    }

    /** Sends at a steady rate. Returns when the last message has been sent, possibly unanswered. */
    Phase offer(double perSecond, Duration length) {
        var phase = new Phase();
        current = phase;
        long begunNanos = System.nanoTime();
        int messages = (int) (perSecond * length.toMillis() / 1000);
        for (int i = 0; i < messages; i++) {
            long dueNanos = begunNanos + (long) (i * 1e9 / perSecond);
            LockSupport.parkNanos(Math.max(0, dueNanos - System.nanoTime()));
            var person = people.get(i % people.size());
            long number = numbers.incrementAndGet();
            phase.dueNanos.put(number, dueNanos);
            phases.put(number, phase);
            threads.execute(() -> send(person, number, phase));
        }
        return phase;
    }

    /** Sends in a closed loop. Returns when all messages are delivered, or after ten seconds. */
    Phase flood(int senders, Duration length) {
        var phase = new Phase();
        long endNanos = System.nanoTime() + length.toNanos();
        try (var busy = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < senders; i++) {
                var person = people.get(i % people.size());
                busy.execute(() -> flood(person, phase, endNanos));
            }
        }
        awaitEnd(phase);
        return phase;
    }

    private void flood(Member person, Phase phase, long endNanos) {
        while (System.nanoTime() - endNanos < 0) {
            long number = numbers.incrementAndGet();
            phase.dueNanos.put(number, System.nanoTime());
            phases.put(number, phase);
            send(person, number, phase);
        }
    }

    /** Waits until every message has its response and its deliveries, at most ten seconds; then pages back. */
    void awaitEnd(Phase phase) {
        int messages = phase.dueNanos.size();
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (System.nanoTime() < deadline
                && (phase.sent.get() + phase.failed.get() < messages
                        || phase.delivered.summary().count() < phase.sent.get() * readers.size() / rooms)) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        pageBack();
        phase.lost = phase.rooms.entrySet().stream()
                .mapToLong(message -> readers.stream()
                        .filter(reader ->
                                reader.room.equals(message.getValue()) && !reader.hasSeen(message.getKey() - first))
                        .count())
                .sum();
    }

    private void send(Member person, long number, Phase phase) {
        try {
            var path = Paths.room(person.room, "/send/m.room.message/bench-" + number);
            var content = "{\"msgtype\":\"m.text\",\"body\":\"message %d\",\"bench\":%d}".formatted(number, number);
            connections.call(person.session, "PUT", path, content).ok();
            phase.acknowledged.add(System.nanoTime() - due(phase, number));
            phase.rooms.put(number, person.room);
            phase.sent.incrementAndGet();
        } catch (IOException | UnexpectedAnswerException e) {
            phase.refused.add(System.nanoTime() - due(phase, number));
            phase.failed.incrementAndGet();
        }
    }

    private void poll(Member person, String first) {
        var since = first;
        while (!stopped) {
            try {
                var query = SyncQuery.since(since).waiting(LONG_POLL).timelineLimit(100);
                var answer = connections
                        .call(person.session, "GET", query.path(), "")
                        .ok();
                long nowNanos = System.nanoTime();
                Session.timeline(answer, person.room).forEach(event -> arrived(person, event, nowNanos));
                var gap = Gap.in(answer.path("rooms").path("join").path(person.room), person.room, since);
                if (gap != null) {
                    missedParts.add(new MissedPart(person, gap));
                }
                since = answer.path("next_batch").asString();
            } catch (IOException | UnexpectedAnswerException _) {
                pollFailed();
            }
        }
    }

    private void arrived(Member reader, JsonNode event, long nowNanos) {
        see(reader, event, (phase, number) -> phase.delivered.add(nowNanos - due(phase, number)));
    }

    private void see(Member reader, JsonNode event, BiConsumer<Phase, Long> delivered) {
        long number = event.path("content").path("bench").asLong(0);
        var phase = phases.get(number);
        if (phase == null) {
            return;
        }
        if (reader.see(number - first)) {
            delivered.accept(phase, number);
        } else {
            phase.doubled.incrementAndGet();
        }
    }

    /** Pages back through the limited timelines, after a measurement, as a user does who scrolls back. */
    private void pageBack() {
        for (var part = missedParts.poll(); part != null; part = missedParts.poll()) {
            var reader = part.reader;
            try {
                part.gap
                        .events(reader.session, PAGE)
                        .forEach(event -> see(reader, event, (phase, _) -> phase.paged.incrementAndGet()));
            } catch (IOException | UnexpectedAnswerException e) {
                System.err.println("the gap of %s could not be read: %s".formatted(reader.session, e));
            }
        }
    }

    private static long due(Phase phase, long number) {
        return phase.dueNanos.getOrDefault(number, System.nanoTime());
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        threads.shutdownNow();
        connections.close();
        http.close();
    }
}
