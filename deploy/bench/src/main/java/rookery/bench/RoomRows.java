// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;

/** A room with connected members, at a rate so low that each operation is finished before the next. */
final class RoomRows {
    static final int READERS = 60;
    private static final int CONNECTED = 100;
    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final Duration BETWEEN_READ_MESSAGES = Duration.ofSeconds(5);
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private final RowsOptions options;
    private final TenantAddress site;
    private final List<Session> people;
    private final String room;

    /** The operation with a number. */
    private interface Operation {
        void run(int number) throws IOException;
    }

    private RoomRows(RowsOptions options, TenantAddress site, List<Session> people, String room) {
        this.options = options;
        this.site = site;
        this.people = people;
        this.room = room;
    }

    /** Makes a room of all these users. */
    static RoomRows of(RowsOptions options, TenantAddress site, List<Session> people) throws IOException {
        return new RoomRows(options, site, people, SyncApplication.room(people));
    }

    Map<String, Object> receipts() throws IOException {
        try (var audience = new Audience(site, room, people, true)) {
            return measured(audience, BETWEEN_READ_MESSAGES, audience::say);
        }
    }

    Map<String, Object> messages() throws IOException {
        try (var audience = new Audience(site, room, connected(), false)) {
            return measured(audience, BETWEEN, audience::say);
        }
    }

    Map<String, Object> renames() throws IOException {
        try (var audience = new Audience(site, room, connected(), false)) {
            return measured(audience, BETWEEN, number -> {
                var person = people.get(number % people.size());
                person.put(
                        "/v3/profile/" + Paths.encoded(person.userId()) + "/displayname",
                        Map.of("displayname", "Name " + number));
            });
        }
    }

    private List<Session> connected() {
        return people.subList(0, Math.min(CONNECTED, people.size()));
    }

    private Map<String, Object> measured(Audience audience, Duration between, Operation operation) throws IOException {
        int warming = (int) options.warmUp.dividedBy(between);
        int measured = (int) Math.max(1, options.length.dividedBy(between));
        repeat(0, warming, between, operation);
        var idleCosts = Costs.begin(options.data);
        LockSupport.parkNanos(IDLE.toNanos());
        var idle = idleCosts.used();
        int answersBefore = audience.answers();
        int failedBefore = audience.failures();
        var costs = Costs.begin(options.data);
        repeat(warming, measured, between, operation);
        var used = costs.used();
        int answers = audience.answers() - answersBefore;
        audience.drain();
        double idleSeconds =
                idle.servers() * used.time().toNanos() / idle.time().toNanos();
        var numbers = new LinkedHashMap<String, Object>();
        numbers.put("operations", measured);
        numbers.put("sync_answers_each", answers / (double) measured);
        numbers.put("failed_requests", audience.failures() - failedBefore);
        numbers.put("missing_deliveries", audience.missing());
        numbers.put("delivered_ms", audience.delivered());
        numbers.put("cpu_ms_each_above_idle", (used.servers() - idleSeconds) * 1000 / measured);
        numbers.put(
                "idle_percent_of_a_processor",
                idle.servers() * 1e11 / idle.time().toNanos());
        numbers.putAll(used.numbers(measured));
        return numbers;
    }

    private static void repeat(int from, int times, Duration between, Operation operation) throws IOException {
        long begunNanos = System.nanoTime();
        for (int i = 0; i < times; i++) {
            operation.run(from + i);
            LockSupport.parkNanos(begunNanos + (i + 1) * between.toNanos() - System.nanoTime());
        }
    }
}
