// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rookery.e2e.api.Session;
import rookery.e2e.api.SlidingClient;
import rookery.e2e.api.SlidingClient.Config;
import tools.jackson.databind.JsonNode;

/** Sliding sync of a user with many rooms, beside a user with few (contract.md 10.9). */
final class SlidingRows {
    static final int PEOPLE = 2;
    private static final int CLIENTS = 32;
    private static final int FEW = 50;
    private static final int FIRST_WINDOW = 20;
    private static final int STEP = 100;
    private static final int GROWN_MAX = 5;
    /** Like the room list of a phone: the newest event and the state that names a room. */
    private static final Config CONFIG = new Config(
            1, List.of("m.room.name", "m.room.avatar", "m.room.encryption", "m.room.create", "m.room.join_rules"));

    private static final String STATES = """
            SELECT coalesce(max(octet_length(state)), 0) FROM sync.connection WHERE user_id = ?
            """;

    private final RowsOptions options;
    private final Session few;
    private final Session many;
    private final Map<String, Object> numbers = new LinkedHashMap<>();
    private int connections;

    SlidingRows(RowsOptions options, List<Session> people) throws IOException {
        this.options = options;
        this.few = people.get(0);
        this.many = people.get(1);
        rooms(few, FEW);
        rooms(many, options.userRooms);
    }

    private static void rooms(Session user, int number) throws IOException {
        Parallel.run(
                CLIENTS,
                0,
                number,
                i -> user.createRoom(Map.of("name", "room " + i, "preset", "private_chat", "topic", "bench")));
    }

    private interface Request {
        JsonNode send() throws IOException;
    }

    private static void timed(Latencies latencies, Request request) throws IOException {
        latencies.add(nanos(request));
    }

    private static long nanos(Request request) throws IOException {
        long begunNanos = System.nanoTime();
        request.send();
        return System.nanoTime() - begunNanos;
    }

    private SlidingClient client(Session user, int window) {
        var client = new SlidingClient(user, "bench" + connections++, true);
        client.list("all", 0, window - 1, CONFIG, Map.of());
        return client;
    }

    Map<String, Object> measure() throws IOException {
        numbers.put(
                "node new, %d rooms, ms".formatted(FEW),
                nanos(() -> client(few, FIRST_WINDOW).poll(0)) / 1e6);
        numbers.put(
                "node new, %d rooms, ms".formatted(options.userRooms),
                nanos(() -> client(many, FIRST_WINDOW).poll(0)) / 1e6);
        turns(options.warmUp.toNanos(), new Latencies(), new Latencies());
        var first = new Latencies();
        var firstOfMany = new Latencies();
        turns(options.length.toNanos(), first, firstOfMany);
        numbers.put("first ms, " + FEW + " rooms", first.summary());
        numbers.put("first ms, " + options.userRooms + " rooms", firstOfMany.summary());
        numbers.put(
                "first, ratio of p50",
                firstOfMany.summary().p50() / first.summary().p50());
        grow();
        return numbers;
    }

    /** First answers to both users in turns. */
    private void turns(long nanos, Latencies ofFew, Latencies ofMany) throws IOException {
        long begunNanos = System.nanoTime();
        while (System.nanoTime() - begunNanos < nanos) {
            timed(ofFew, () -> client(few, FIRST_WINDOW).poll(0));
            timed(ofMany, () -> client(many, FIRST_WINDOW).poll(0));
        }
    }

    private void grow() throws IOException {
        var steps = new Latencies();
        var quiet = new Latencies();
        var quietOfFew = new Latencies();
        for (int i = 1; i < GROWN_MAX; i++) {
            grown(steps);
        }
        var all = grown(steps);
        var small = client(few, FEW);
        small.poll(0);
        long begunNanos = System.nanoTime();
        while (System.nanoTime() - begunNanos < options.length.toNanos()) {
            timed(quiet, () -> all.poll(0));
            timed(quietOfFew, () -> small.poll(0));
        }
        numbers.put("step of " + STEP + " rooms, ms", steps.summary());
        numbers.put("nothing new ms, " + options.userRooms + " rooms", quiet.summary());
        numbers.put("nothing new ms, " + FEW + " rooms", quietOfFew.summary());
        numbers.put("bytes of the connection", bytesOfState());
    }

    /** A connection whose window has grown to all rooms. */
    private SlidingClient grown(Latencies steps) throws IOException {
        var client = client(many, FIRST_WINDOW);
        client.poll(0);
        for (int window = STEP; window <= options.userRooms; window += STEP) {
            client.list("all", 0, window - 1, CONFIG, Map.of());
            timed(steps, () -> client.poll(0));
        }
        return client;
    }

    private long bytesOfState() throws IOException {
        try (var connection = DataFolderDatabase.of(options.data).connect();
                var statement = connection.prepareStatement(STATES)) {
            statement.setString(1, many.userId());
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        } catch (SQLException e) {
            throw new IOException("the states of connections could not be read: " + e.getMessage(), e);
        }
    }
}
