// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.push.delivery.PushWorld.ADA;

import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.push.PushNode.UserDevice;

/** Retention of deliveries, and the number of statements for many deliveries at once. */
class DeliveryTableIT {
    @RegisterExtension
    static final PushWorld world = new PushWorld(1);

    @Test
    void whatBecameOfAPushIsKeptForThirtyDaysAndItsEventForTwo() {
        world.setPusher(ADA, "key", "/push");
        world.add(world.message("a"), ADA);
        world.awaitUnits("a", "delivered 1");
        world.clock.advance(Duration.ofDays(2));
        clean();
        assertThat(world.query("SELECT 1 FROM push.pushed_event")).hasSize(1);
        world.clock.advance(Duration.ofMillis(1));
        clean();
        assertThat(world.query("SELECT 1 FROM push.pushed_event")).isEmpty();
        world.clock.advance(Duration.ofDays(28).minusMillis(1));
        clean();
        assertThat(world.units("a")).containsExactly("delivered 1");
        world.clock.advance(Duration.ofMillis(1));
        clean();
        assertThat(world.units("a")).isEmpty();
    }

    @Test
    void pauseThatIsOverIsForgottenAndOneThatIsNotStays() {
        var pauses = world.nodes.getFirst().bean(Pauses.class);
        for (var name : List.of("ada", "bob", "carl")) {
            pauses.set(ADA.tenantId(), UserDevice.of(name).user(), true).block();
        }
        pauses.set(ADA.tenantId(), UserDevice.of("bob").user(), false).block();
        pauses.endOfAccount(ADA.tenantId(), UserDevice.of("carl").user()).block();
        world.clock.advance(Duration.ofDays(2).plusMillis(1));
        clean();
        assertThat(world.query("SELECT user_id FROM push.pause")).containsExactly("@ada:one.example");
    }

    @Test
    void unitThatCouldNotBeAttemptedForADayFails() {
        try (var idle = new PushWorld(1)) {
            idle.nodes.getFirst().bean(DeliveryWorker.class).stop();
            idle.setPusher(ADA, "key", "/push");
            idle.add(idle.message("a"), ADA);
            var cleaner = idle.nodes.getFirst().bean(DeliveryCleaner.class);
            idle.clock.advance(Duration.ofDays(1));
            cleaner.clean().block();
            assertThat(idle.units("a")).containsExactly("pending 0");
            cleaner.watch().block();
            assertThat(idle.nodes
                            .getFirst()
                            .bean(MeterRegistry.class)
                            .get("push.queue.overdue")
                            .gauge()
                            .value())
                    .isEqualTo(86_400.0);
            assertThat(idle.nodes
                            .getFirst()
                            .bean(MeterRegistry.class)
                            .get("push.queue.depth")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            idle.clock.advance(Duration.ofMillis(1));
            cleaner.clean().block();
            assertThat(idle.units("a")).containsExactly("failed 0");
        }
    }

    /** The worker claims one unit, and drops all units that wait for the same pusher. */
    @Test
    void unitsOfAPusherThatIsGoneAreDroppedTogether() {
        try (var idle = new PushWorld(1)) {
            var node = idle.nodes.getFirst();
            node.bean(DeliveryWorker.class).stop();
            idle.setPusher(ADA, "key", "/push");
            for (int i = 0; i < 3; i++) {
                idle.add(idle.message("a" + i), ADA);
            }
            var queue = node.bean(UnitQueue.class);
            var claimed = queue.lanes(null)
                    .flatMap(due -> queue.take(Map.of(due.lanes().getFirst(), 1)))
                    .blockOptional()
                    .orElseThrow()
                    .getFirst();
            queue.dropOfPusher(claimed).block();
            assertThat(idle.units("a1")).containsExactly("pending 0");
            node.call(ADA, "DELETE", "/v3/pushers/key", null);
            queue.dropOfPusher(claimed).block();
            assertThat(idle.units("a1")).containsExactly("superseded 0");
            assertThat(idle.units("a2")).containsExactly("superseded 0");
        }
    }

    /** Otherwise the next claim would read the lane from the time of its events, which may have waited for hours before. */
    @Test
    void claimKnowsTheDueTimeOfAnOlderUnit() {
        try (var idle = new PushWorld(1)) {
            var node = idle.nodes.getFirst();
            node.bean(DeliveryWorker.class).stop();
            idle.setPusher(ADA, "key", "/push");
            idle.add(idle.message("a"), ADA);
            idle.database.execute("UPDATE push.unit SET created_at = created_at - interval '1 hour'");
            var queue = node.bean(UnitQueue.class);
            var lane = new Lane(ADA.tenantId(), idle.gateway.url("").replaceFirst("/$", ""));
            var starts = new LaneStarts();
            var now = idle.clock.instant();
            starts.of(lane, now);
            starts.claimed(
                    List.of(lane), queue.take(Map.of(lane, 1)).blockOptional().orElseThrow());
            assertThat(starts.of(lane, now)).isBetween(now.minusSeconds(10), now);
        }
    }

    /** The server counts statements: the test reads a row of its statistics. */
    @Test
    void messageForAThousandPushersIsOneStatement() {
        world.database.execute("""
                INSERT INTO push.pusher (tenant, user_id, app_id, pushkey, device_id, url, gateway, described, created_at, set_at)
                SELECT 1, '@user' || n || ':one.example', 'app', n::text, 'DEVICE', '%s', '%s', '{"data":{}}',
                       to_timestamp(0), to_timestamp(0)
                  FROM generate_series(1, 1000) AS n""".formatted(world.gateway.url("/many"), world.gateway.url("")));
        var superuser = TestServers.superuserOf(world.database);
        superuser.execute("CREATE TABLE statements (n int)", "GRANT INSERT ON statements TO PUBLIC", """
                CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN INSERT INTO public.statements VALUES (1); RETURN NULL; END $$""", """
                CREATE TRIGGER counted AFTER INSERT ON push.unit
                   FOR EACH STATEMENT EXECUTE FUNCTION count_statement()""");
        var event = world.message("a");
        var units = IntStream.rangeClosed(1, 1000)
                .mapToObj(n -> new NewUnit(event, UserDevice.of("user" + n).user(), PushWorld.verdict("notify")))
                .toList();
        world.add(units);
        assertThat(world.units("a")).hasSize(1000);
        assertThat(superuserCount(superuser)).isOne();
        assertThat(world.query("SELECT 1 FROM push.pushed_event")).hasSize(1);
        world.gateway.await("/many", 1000);
    }

    @Test
    void metersSayWhatHappensAndNotToWhom() {
        world.setPusher(ADA, "key", "/push");
        world.add(world.message("a"), ADA);
        world.awaitUnits("a", "delivered 1");
        world.setPusherAt(ADA, "key", "http://127.0.0.1:1/");
        world.add(world.message("b"), ADA);
        world.awaitUnits("b", "pending 1");
        var registry = world.nodes.getFirst().bean(MeterRegistry.class);
        assertThat(registry.get("push.attempts")
                        .tag("outcome", "delivered")
                        .counter()
                        .count())
                .isPositive();
        assertThat(registry.get("push.gateway.requests")
                        .tag("answer", "taken")
                        .timer()
                        .count())
                .isPositive();
        world.clock.advance(Duration.ofMinutes(4));
        world.nodes.getFirst().bean(DeliveryCleaner.class).watch().block();
        assertThat(registry.get("push.queue.overdue").gauge().value()).isZero();
        for (var meter : registry.getMeters()) {
            if (meter.getId().getName().startsWith("push.")) {
                assertThat(meter.getId().getTags())
                        .extracting(tag -> tag.getKey())
                        .isSubsetOf("outcome", "answer");
            }
        }
    }

    private static void clean() {
        world.nodes.getFirst().bean(DeliveryCleaner.class).clean().block();
    }

    private static long superuserCount(Database superuser) {
        try (var connection = superuser.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM public.statements")) {
            return rows.next() ? rows.getLong(1) : 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
