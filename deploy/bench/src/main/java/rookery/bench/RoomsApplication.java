// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Option;
import rookery.bench.ClosedLoop.Request;
import rookery.bench.FilledAccounts.TableSize;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.program.Program;

/** The program behind {@code deploy/bench/rooms}: measures contract.md 8 and 11 through the gateway. */
public final class RoomsApplication {
    private static final int CLIENTS = 32;
    private static final int ROOMS = 100;
    /** Rooms with a single member. */
    private static final int SMALL_ROOMS = 1_000;

    private static final int ROUNDS = 3;
    private static final int CONNECTED = 10;
    private static final int BODY_CHARACTERS = 200;
    private static final int SIZED_MESSAGES = 20_000;
    private static final String HELP = """
            deploy/bench/rooms measures a Rookery that runs on this machine: messages into one room, a hundred and a thousand,
            pages of history, new rooms, joins, what a message costs in rooms of 10, 1,000 and 10,000 members, and what it takes
            on disk.

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000
              --prefix PATH        of every request (/_api/client)
              --members N          of the largest room (10000); accounts are written into the database, not registered
              --rate N             messages a second where the cost of one is measured (20)
              --seconds N          of each measurement (60)
              --warm-up N          seconds before them (60)
              --data DIR           its data folder (data/ in the project)
              --only KINDS         sends, pages, creations, sizes, costs; more than one with commas
            """;

    private enum Kind {
        SENDS,
        PAGES,
        CREATIONS,
        SIZES,
        COSTS
    }

    private static final class RoomsOptions extends LoadOptions {
        @Option(names = "--only", split = Program.COMMA, paramLabel = "some of sends,pages,creations,sizes,costs")
        EnumSet<Kind> kinds = EnumSet.allOf(Kind.class);

        RoomsOptions() {
            super(MANY_MEMBERS);
        }
    }

    private final RoomsOptions options;
    private final Http http;
    private final List<Session> people;
    private final FilledAccounts accounts;
    private final AtomicInteger number = new AtomicInteger();

    private RoomsApplication(RoomsOptions options) throws IOException {
        this.options = options;
        this.http = Http.to(TenantAddress.at(options.url, options.prefix));
        this.accounts = new FilledAccounts(options.data);
        var first = Session.register(http, "bench-" + Long.toHexString(new SecureRandom().nextLong()));
        int needed = options.kinds.contains(Kind.COSTS) ? Math.max(CLIENTS, options.members) : CLIENTS;
        this.people = accounts.fill(http, first, needed + 1);
    }

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/rooms", HELP, new RoomsOptions(), arguments, options -> {
            new RoomsApplication(options).measure();
            return true;
        });
    }

    private void measure() throws IOException {
        var rooms = new ArrayList<String>();
        for (int i = 0; i < ROOMS; i++) {
            rooms.add(room(CLIENTS));
        }
        var requests = requests(rooms);
        System.out.println("warming up for %d s".formatted(options.warmUp.toSeconds()));
        for (var request : requests.values()) {
            new ClosedLoop(CLIENTS, options.warmUp.dividedBy(requests.size())).run(request);
        }
        var measurement = new Measurement(CLIENTS, options.length, options.data);
        for (var request : requests.entrySet()) {
            measurement.report(request.getKey(), request.getValue());
        }
        if (options.kinds.contains(Kind.SIZES)) {
            sizes(rooms);
        }
        if (options.kinds.contains(Kind.COSTS)) {
            messages();
        }
    }

    /** The measured requests, by name. */
    private Map<String, Request> requests(List<String> rooms) throws IOException {
        var requests = new LinkedHashMap<String, Request>();
        if (options.kinds.contains(Kind.SENDS)) {
            var small = smallRooms();
            int each = small.size() / CLIENTS;
            requests.put("sends into 1 room", client -> say(client, rooms.getFirst()));
            requests.put("sends into 100 rooms", client -> say(client, rooms.get(number.incrementAndGet() % ROOMS)));
            requests.put(
                    "sends into 1,000 rooms",
                    client -> say(client, small.get(client + CLIENTS * (number.incrementAndGet() % each))));
        }
        if (options.kinds.contains(Kind.PAGES)) {
            requests.put(
                    "pages of 50 messages",
                    client -> people.get(client)
                            .call("GET", Paths.room(rooms.getFirst(), "/messages?dir=b&limit=50"), null));
        }
        if (options.kinds.contains(Kind.CREATIONS)) {
            requests.put(
                    "createRoom", client -> people.get(client).call("POST", "/v3/createRoom", Map.of("name", "bench")));
        }
        return requests;
    }

    /** The room at an index belongs to the client with the number index modulo clients. */
    private List<String> smallRooms() throws IOException {
        var rooms = new String[SMALL_ROOMS / CLIENTS * CLIENTS];
        Parallel.run(
                CLIENTS,
                0,
                rooms.length,
                i -> rooms[i] = people.get(i % CLIENTS).createRoom(Map.of("name", "small")));
        return List.of(rooms);
    }

    private void sizes(List<String> rooms) throws IOException {
        var before = accounts.roomTables();
        var prose = new Prose(new SecureRandom());
        var texts = new ArrayList<String>();
        for (int i = 0; i < SIZED_MESSAGES; i++) {
            texts.add(prose.text(BODY_CHARACTERS));
        }
        Parallel.run(
                CLIENTS,
                0,
                SIZED_MESSAGES,
                i -> people.get(i % CLIENTS)
                        .send(rooms.get(i % ROOMS), "size-" + i, Map.of("msgtype", "m.text", "body", texts.get(i)))
                        .ok());
        var after = accounts.roomTables();
        double all = 0;
        System.out.println("bytes on disk for each message of %d characters (%d of them into %d rooms):"
                .formatted(BODY_CHARACTERS, SIZED_MESSAGES, ROOMS));
        for (int i = 0; i < after.size(); i++) {
            var grown = grown(before.get(i), after.get(i));
            all += grown.heapBytes() + grown.indexBytes();
            if (grown.heapBytes() + grown.indexBytes() > 0) {
                System.out.println("    %-16s %7.0f and %7.0f in indexes"
                        .formatted(
                                grown.table(),
                                grown.heapBytes() / (double) SIZED_MESSAGES,
                                grown.indexBytes() / (double) SIZED_MESSAGES));
            }
        }
        System.out.println("    %-16s %7.0f".formatted("together", all / SIZED_MESSAGES));
    }

    private static TableSize grown(TableSize before, TableSize after) {
        return new TableSize(
                after.table(), after.heapBytes() - before.heapBytes(), after.indexBytes() - before.indexBytes());
    }

    /** Measures rooms of growing size in turns, without and with connected members. */
    private void messages() throws IOException {
        var sized = new ArrayList<String>();
        for (int size : List.of(10, 1_000, options.members)) {
            sized.add(room(Math.min(size, options.members)));
        }
        for (int round = 1; round <= ROUNDS; round++) {
            for (var room : sized) {
                cost("nobody connected", room, List.of());
            }
            for (var room : sized) {
                cost(CONNECTED + " connected", room, people.subList(0, CONNECTED));
            }
        }
    }

    private void cost(String title, String room, List<Session> connected) throws IOException {
        try (var members =
                new Members(Http.to(TenantAddress.at(options.url, options.prefix)), people.subList(0, 10), room)) {
            for (var person : connected) {
                members.connect(person, person.sync(SyncQuery.initial().timelineLimit(1)));
            }
            members.send(options.rate, Duration.ofSeconds(3));
            var costs = Costs.begin(options.data);
            var phase = members.send(options.rate, options.length.dividedBy(ROUNDS));
            var used = costs.used();
            int sent = Math.max(1, phase.sent.get());
            System.out.println("message in a room of %5d, %-16s %7.2f ms CPU; answered %s"
                    .formatted(joined(room), title, used.servers() * 1000 / sent, phase.acknowledged.summary()));
            used.byServer()
                    .forEach((server, seconds) ->
                            System.out.println("    %-20s %8.2f ms".formatted(server, seconds * 1000 / sent)));
            System.out.println(
                    "    delivered %s; noise %.2f processors".formatted(phase.delivered.summary(), used.noise()));
        }
    }

    private int joined(String room) throws IOException {
        return people.getFirst()
                .get(Paths.room(room, "/joined_members"))
                .path("joined")
                .size();
    }

    /** Makes a room. The members join in the order of their names; from a thousand on the rate is printed. */
    private String room(int members) throws IOException {
        var room = people.getFirst().createRoom(Map.of("preset", "public_chat", "name", "bench"));
        for (int from = 1; from < members; from += 1_000) {
            int to = Math.min(members, from + 1_000);
            long begunNanos = System.nanoTime();
            Parallel.run(CLIENTS, from, to, i -> people.get(i).join(room));
            if (members >= 1_000) {
                System.out.println("joins from %5d to %5d members: %7.1f a second"
                        .formatted(from, to, (to - from) * 1e9 / (System.nanoTime() - begunNanos)));
            }
        }
        return room;
    }

    private Answer say(int client, String room) throws IOException {
        var content = Map.of("msgtype", "m.text", "body", "message " + number.incrementAndGet());
        return people.get(client).send(room, "bench-" + number.incrementAndGet(), content);
    }
}
