// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.id.EventId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.push.delivery.NewUnit;
import rookery.push.delivery.ReadUpTo;

/** Counts equal a recount by brute force in random histories (design.md 10, promise 5). */
class RecountIT {
    private static final List<Long> NOW = Arrays.asList(new Long[Shards.COUNT]);

    static {
        NOW.replaceAll(_ -> Long.MAX_VALUE);
    }

    @Test
    void countsAreThoseOfARecount() throws SQLException {
        var town = new TwoTenantWorld(7);
        var database = TestServers.database("push-service");
        long pasts = 0;
        try (var counting = new FedCounter(database, town.roomLog, town.userLog)) {
            for (int round = 0; round < 80; round++) {
                pasts += rows(database, "member_past");
                for (int i = 0; i < 120; i++) {
                    town.happens();
                }
                counting.followRooms(town.random, 40);
                if (round % 4 == 0) {
                    check(town, counting, round);
                }
                for (int i = 0; i < 4; i++) {
                    town.changes();
                }
                counting.followUsers(town.random, 3);
            }
            check(town, counting, 80);
        }
        assertThat(town.recount.cases).isGreaterThan(100_000);
        // the history has exercised every part of the design
        assertThat(rows(database, "cohort")).isGreaterThan(10);
        assertThat(pasts).isGreaterThan(10);
        assertThat(rows(database, "exception WHERE n_delta < 0")).isGreaterThan(50);
        assertThat(rows(database, "exception WHERE n_delta > 0")).isGreaterThan(50);
        assertThat(rows(database, "noted WHERE withdrawn")).isGreaterThan(50);
        assertThat(rows(database, "noted WHERE thread <> 'main'")).isGreaterThan(50);
        assertThat(rows(database, "read_position")).isGreaterThan(50);
        assertThat(rows(database, "ignored")).isGreaterThan(10);
    }

    static long rows(Database database, String table) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM push." + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Two concurrent instances, a third one that replaces a closed one, and failing statements. */
    @Test
    void countsAreExactWhoeverFollowsAndWhateverBreaks() throws Exception {
        var town = new TwoTenantWorld(11);
        var database = TestServers.database("push-service");
        var breaking = new FailingPushSink();
        try (var threads = Executors.newFixedThreadPool(2);
                var lasting = new FedCounter(database, town.roomLog, town.userLog)) {
            for (int life = 0; life < 3 || breaking.broken.get() <= 3; life++) {
                try (var other = new FedCounter(database, town.roomLog, town.userLog, breaking)) {
                    for (int round = 0; round < 5; round++) {
                        together(threads, town, lasting, other);
                    }
                    check(town, other, life);
                }
            }
        }
    }

    private static void together(ExecutorService threads, TwoTenantWorld town, FedCounter one, FedCounter other)
            throws Exception {
        for (int i = 0; i < 60; i++) {
            town.happens();
        }
        var first = threads.submit(() -> one.followRooms(new Random(1), 7));
        var second = threads.submit(() -> retried(() -> other.followRooms(new Random(2), 11)));
        first.get();
        second.get();
        for (int i = 0; i < 5; i++) {
            town.changes();
        }
        var third = threads.submit(() -> one.followUsers(new Random(3), 2));
        var fourth = threads.submit(() -> other.followUsers(new Random(4), 3));
        third.get();
        fourth.get();
    }

    /** Retries like the follower of the log. */
    private static void retried(Runnable following) {
        while (true) {
            try {
                following.run();
                return;
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage(FailingPushSink.MESSAGE);
            }
        }
    }

    /** Fails occasionally, after counts were written and before reads and redactions. */
    private static final class FailingPushSink extends FedCounter.NoPushSink {
        static final String MESSAGE = "broken on purpose";
        private final Random random = new Random(5);
        final AtomicInteger broken = new AtomicInteger();

        @Override
        public Mono<Void> read(List<ReadUpTo> reads) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> redacted(TenantId tenant, EventId event) {
            return maybe();
        }

        @Override
        public Mono<Void> add(List<NewUnit> pushes) {
            return maybe();
        }

        private Mono<Void> maybe() {
            return Mono.defer(() -> {
                if (random.nextInt(3) > 0) {
                    return Mono.empty();
                }
                broken.incrementAndGet();
                return Mono.error(new IllegalStateException(MESSAGE));
            });
        }
    }

    static void check(TwoTenantWorld town, FedCounter counting, int round) {
        var unread = counting.bean(Unread.class);
        for (var user : TwoTenantWorld.everybody()) {
            assertThat(shown(counting.now(unread.of(user, NOW, null))))
                    .as("round %d, %s", round, user)
                    .isEqualTo(town.recount.counts(user));
        }
        for (var tenant : TwoTenantWorld.TENANTS) {
            assertThat(counting.now(unread.badges(tenant, TwoTenantWorld.users())))
                    .as("round %d, tenant %s", round, tenant)
                    .isEqualTo(TwoTenantWorld.users().stream()
                            .collect(
                                    Collectors.toMap(user -> user, user -> badge(town, new TenantUser(tenant, user)))));
        }
    }

    /** Of the second tenant the number of rooms, as {@link FedCounter} configures. */
    private static int badge(TwoTenantWorld town, TenantUser user) {
        var rooms = town.recount.counts(user).values();
        return user.tenant().equals(TwoTenantWorld.TENANTS.getLast())
                ? rooms.size()
                : rooms.stream()
                        .flatMap(threads -> threads.values().stream())
                        .mapToInt(counts -> Math.toIntExact(counts.getFirst()))
                        .sum();
    }

    static Map<String, Map<String, List<Long>>> shown(Unread.Counts counts) {
        var shown = new TreeMap<String, Map<String, List<Long>>>();
        counts.rooms().forEach((room, threads) -> {
            var byThread = new TreeMap<String, List<Long>>();
            threads.forEach((thread, tally) -> byThread.put(thread, List.of(tally.n(), tally.h())));
            shown.put(room.value(), byThread);
        });
        return shown;
    }
}
