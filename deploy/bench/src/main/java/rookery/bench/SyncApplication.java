// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Instance;
import rookery.e2e.running.JvmMemory;
import rookery.model.id.Shards;
import rookery.program.Program;
import tools.jackson.databind.JsonNode;

/** The program behind {@code deploy/bench/sync}: measures contract.md 10 through the gateway. */
public final class SyncApplication {
    private static final int CLIENTS = 32;
    private static final int SENDERS = 10;
    private static final int FLOODING = 4;
    private static final int ROOMS = 1_000;
    private static final int MESSAGES = 20;
    private static final int OWNERS = 8;
    private static final int SHARING = 10;
    private static final int SHARDS = Shards.COUNT;
    private static final int FAILURES_SHOWN = 3;
    private static final int ENTRIES = 1_000_000;
    /** A deploy sends clients back spread over some seconds, not all at once. */
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(4);

    private static final Duration LONG_POLL = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final SyncOptions options;
    private final Path data;
    private final TenantAddress site;
    private final Http http;
    private final FilledAccounts accounts;
    private final Session first;

    private SyncApplication(SyncOptions options) throws IOException {
        this.options = options;
        this.data = options.data;
        this.site = TenantAddress.at(options.url, options.prefix);
        this.http = Http.to(site);
        this.accounts = new FilledAccounts(data);
        this.first = Session.register(http, "bench-" + Long.toHexString(new SecureRandom().nextLong()));
    }

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/sync", SyncOptions.HELP, new SyncOptions(), arguments, options -> {
            new SyncApplication(options).measure();
            return true;
        });
    }

    private void measure() throws IOException {
        for (var kind : options.kinds) {
            switch (kind) {
                case DELIVERY -> deliveries();
                case INITIAL -> initial();
                case QUIET -> quiet();
                case PARKED -> parked();
                case START -> start();
            }
        }
    }

    private void deliveries() throws IOException {
        for (int listeners : List.of(10, 100, 1_000)) {
            var people = accounts.fill(http, first, listeners);
            var room = room(people);
            try (var members = new Members(Http.to(site), people.subList(0, SENDERS), room)) {
                Parallel.run(
                        CLIENTS,
                        0,
                        listeners,
                        i -> members.connect(
                                people.get(i),
                                people.get(i).sync(SyncQuery.initial().timelineLimit(1))));
                double rate = Math.max(1, options.rate * SENDERS / listeners);
                progress("delivery to %d".formatted(listeners));
                members.send(2 * rate, options.warmUp);
                delivered(
                        "%.0f messages a second to %d".formatted(rate, listeners),
                        () -> members.send(rate, options.length));
                delivered(
                        "%d who send without pause to %d".formatted(FLOODING, listeners),
                        () -> members.flood(FLOODING, options.length.dividedBy(3)));
            }
        }
    }

    private interface SendPhase {
        Members.Phase run();
    }

    private void delivered(String title, SendPhase sending) {
        var costs = Costs.begin(data);
        var phase = sending.run();
        var used = costs.used();
        var delivered = phase.delivered.summary();
        System.out.println("%-40s %8.1f deliveries a second, %s"
                .formatted(title, delivered.count() * 1e9 / used.time().toNanos(), delivered));
        System.out.println(
                "    %-20s %s, %d failed".formatted("answered", phase.acknowledged.summary(), phase.failed.get()));
        used.print(Math.max(1, delivered.count()), "a delivery");
    }

    private void initial() throws IOException {
        var people = accounts.fill(http, first, OWNERS + 1);
        var reader = people.getLast();
        System.out.println("making %d rooms with %d messages each".formatted(ROOMS, MESSAGES));
        Parallel.run(OWNERS, 0, ROOMS, i -> {
            var owner = people.get(i % OWNERS);
            var room = owner.createRoom(Map.of("preset", "public_chat", "name", "room " + i));
            reader.join(room);
            for (int message = 0; message < MESSAGES; message++) {
                owner.say(room, "message " + message);
            }
        });
        var bytes = new AtomicLong();
        ClosedLoop.Request whole = _ -> {
            var answer = reader.trySync(SyncQuery.initial());
            bytes.set(answer.text().length());
            return answer;
        };
        progress("first syncs of a user with %d rooms".formatted(ROOMS));
        new ClosedLoop(1, options.warmUp).run(whole);
        new Measurement(1, options.length, data).report("first sync, %d rooms".formatted(ROOMS), whole);
        System.out.println("    %.1f MB".formatted(bytes.get() / 1e6));
    }

    private void quiet() throws IOException {
        var people = accounts.fill(http, first, CLIENTS);
        room(people);
        var since = new ArrayList<String>();
        for (var person : people) {
            since.add(next(person.sync(SyncQuery.initial())));
        }
        ClosedLoop.Request nothing = client -> people.get(client).trySync(SyncQuery.since(since.get(client)));
        ClosedLoop.Request open = _ -> http.call("GET", "/v3/login", null, null);
        progress("syncs with nothing new");
        new ClosedLoop(CLIENTS, options.warmUp).run(nothing);
        new Measurement(CLIENTS, options.length, data).report("sync, nothing new", nothing);
        new Measurement(CLIENTS, options.length.dividedBy(3), data).report("beside: GET /login", open);
    }

    private void parked() throws IOException {
        int requests = options.members;
        var people = accounts.fill(http, first, requests);
        System.out.println("making rooms that %d users share by tens".formatted(requests));
        Parallel.run(CLIENTS, 0, requests / SHARING, i -> room(people.subList(i * SHARING, (i + 1) * SHARING)));
        var gateways = gateways(data);
        var before = MemoryUsage.now(data);
        var since = new ConcurrentHashMap<Integer, String>();
        Parallel.run(
                CLIENTS,
                0,
                requests,
                i -> since.put(i, next(people.get(i).sync(SyncQuery.initial().whileUnseen()))));
        var connected = MemoryUsage.now(data);
        try (var polls = new ParkedPolls(site, LONG_POLL)) {
            for (int i = 0; i < requests; i++) {
                polls.add(gateways.get(i % gateways.size()), people.get(i), since.getOrDefault(i, ""));
                LockSupport.parkNanos(BETWEEN_POLLS.toNanos());
            }
            progress("waiting with %d requests".formatted(requests));
            LockSupport.parkNanos(options.warmUp.toNanos());
            polls.takeAnswered();
            var costs = Costs.begin(data);
            LockSupport.parkNanos(options.length.toNanos());
            var used = costs.used();
            System.out.println("%d requests wait at %d gateways, %d were answered in %d s and asked again, %d failed"
                    .formatted(
                            requests,
                            gateways.size(),
                            polls.takeAnswered(),
                            options.length.toSeconds(),
                            polls.failures().size()));
            polls.failures().stream().distinct().limit(FAILURES_SHOWN).forEach(why -> System.out.println("    " + why));
            var parked = MemoryUsage.now(data);
            used.byServer()
                    .forEach((server, seconds) -> System.out.println("    %-20s %8.3f processors while nothing happens"
                            .formatted(server, seconds / used.time().toSeconds())));
            parked.print("with the requests", before, requests);
            connected.print("without the requests: the users only", before, requests);
        }
    }

    static List<InetSocketAddress> gateways(Path data) {
        return Instance.all(data).stream()
                .filter(instance -> instance.name().startsWith("gateway"))
                .map(Instance::address)
                .map(address -> URI.create("http://" + address))
                .map(uri -> new InetSocketAddress(uri.getHost(), uri.getPort()))
                .toList();
    }

    /** Used heap after a garbage collection, and resident memory, by process. */
    private record MemoryUsage(Map<String, Long> heapBytes, Map<String, Double> residentMegabytes) {
        static MemoryUsage now(Path data) throws IOException {
            var heap = new HashMap<String, Long>();
            var resident = new HashMap<String, Double>();
            for (var instance : Instance.all(data)) {
                if (instance.management() != null) {
                    heap.put(instance.name(), JvmMemory.of(instance).heapBytes());
                }
                resident.put(instance.name(), ProcFiles.memory(instance.pid()).rss());
            }
            return new MemoryUsage(heap, resident);
        }

        void print(String title, MemoryUsage before, int requests) {
            System.out.println("  " + title);
            new TreeMap<>(residentMegabytes).forEach((name, megabytes) -> {
                double growth = megabytes - before.residentMegabytes.getOrDefault(name, 0.0);
                long bytes = heapBytes.getOrDefault(name, 0L) - before.heapBytes.getOrDefault(name, 0L);
                System.out.println("    %-20s %8.2f kB of heap for each after GC, %8.2f kB resident"
                        .formatted(name, bytes / 1024.0 / requests, growth * 1024 / requests));
            });
        }
    }

    private void start() throws IOException {
        var people = accounts.fill(http, first, 2);
        room(people);
        var reader = people.getFirst();
        var since = next(reader.sync(SyncQuery.initial()));
        restart("as it is", reader, since);
        System.out.println("writing %d entries".formatted(ENTRIES));
        FilledLog.append(data, ENTRIES / SHARDS);
        reader.say(createdRoom(reader), "the log goes on");
        for (int round = 0; round < 3; round++) {
            restart("behind %d more entries".formatted(ENTRIES), reader, since);
        }
    }

    private void restart(String title, Session reader, String since) throws IOException {
        var node = Instance.all(data).stream()
                .filter(instance -> instance.name().equals("sync-service-1"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no sync-service runs as a process of its own"));
        ProcessHandle.of(node.pid()).ifPresent(ProcessHandle::destroyForcibly);
        long begunNanos = System.nanoTime();
        while (!isAnswered(reader, since)) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        System.out.println("%-40s %8.2f s from kill -9 to the first answer"
                .formatted("sync-service, " + title, (System.nanoTime() - begunNanos) / 1e9));
    }

    private static boolean isAnswered(Session reader, String since) {
        try {
            return reader.trySync(SyncQuery.since(since)).isOk();
        } catch (IOException _) {
            return false;
        }
    }

    private void progress(String title) {
        System.out.println("%s: warming up for %d s".formatted(title, options.warmUp.toSeconds()));
    }

    private static String createdRoom(Session person) throws IOException {
        return person.createRoom(Map.of("preset", "public_chat", "name", "bench"));
    }

    /** Makes a room and lets all users join. */
    static String room(List<Session> people) throws IOException {
        var room = createdRoom(people.getFirst());
        Parallel.run(
                Math.min(CLIENTS, people.size()),
                1,
                people.size(),
                i -> people.get(i).join(room));
        return room;
    }

    static String next(JsonNode answer) {
        return answer.path("next_batch").asString();
    }
}
