// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Session;

/** Sends without a pause into rooms of all shards, and the time that push-service needs to count them. */
final class LogRows {
    static final int CLIENTS = 32;
    private static final int ROOMS = 64;
    private static final int MEMBERS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** The entries of the room log that push-service has not followed yet. */
    private static final String LAG = """
            SELECT (SELECT sum(pos) FROM room.shard) - (SELECT sum(pos) FROM push.follow WHERE log = 'room-log')
            """;

    private final RowsOptions options;
    private final List<Session> people;
    private final String[] rooms = new String[ROOMS];
    private final AtomicLong numbers = new AtomicLong();

    LogRows(RowsOptions options, List<Session> people) throws IOException {
        this.options = options;
        this.people = people;
        Parallel.run(CLIENTS, 0, ROOMS, i -> {
            rooms[i] = people.get(i % CLIENTS).createRoom(Map.of("preset", "public_chat", "name", "bench"));
            for (int member = 1; member < MEMBERS; member++) {
                people.get((i + member) % CLIENTS).join(rooms[i]);
            }
        });
    }

    Map<String, Object> sends() throws IOException {
        new ClosedLoop(CLIENTS, options.warmUp).run(this::send);
        awaitCounts();
        var costs = Costs.begin(options.data);
        var result = new ClosedLoop(CLIENTS, options.length).run(this::send);
        var sent = costs.used();
        long lag = lag();
        awaitCounts();
        var counted = costs.used();
        var numbers = new LinkedHashMap<String, Object>();
        numbers.put("per_second", result.perSecond());
        numbers.put("failed", result.failed());
        numbers.put("ms", result.latencies().summary());
        numbers.put("entries_not_counted_at_end", lag);
        numbers.put(
                "counted_per_second", result.answered() * 1e9 / counted.time().toNanos());
        numbers.putAll(sent.numbers(result.answered()));
        return numbers;
    }

    /** The client owns the rooms whose number modulo clients is the client's. */
    private Answer send(int client) throws IOException {
        long number = numbers.incrementAndGet();
        int room = client + CLIENTS * (int) (number % (ROOMS / CLIENTS));
        return people.get(client)
                .send(rooms[room], "rows-" + number, Map.of("msgtype", "m.text", "body", "message " + number));
    }

    private void awaitCounts() throws IOException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (lag() > 0 && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private long lag() throws IOException {
        try (var connection = DataFolderDatabase.of(options.data).connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(LAG)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IOException("push-service's positions could not be read: " + e.getMessage(), e);
        }
    }
}
