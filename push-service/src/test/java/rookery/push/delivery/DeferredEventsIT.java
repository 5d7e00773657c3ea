// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static rookery.push.delivery.PushWorld.ADA;
import static rookery.push.delivery.PushWorld.BOB;
import static rookery.push.delivery.PushWorld.ROOM;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.RedactionTarget;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.follow.Derivation.News;
import rookery.platform.log.text.RoomLogText;
import rookery.push.PushNode.UserDevice;
import rookery.push.count.RoomCounter;

/** A tenant with {@code max_pushes_per_second} that has more events than it may push (contract.md 12.7). */
class DeferredEventsIT {
    private static final TenantId TENANT = new TenantId(1);
    private static final Duration TOKEN = Duration.ofMillis(200);

    private PushWorld world;
    private int sent;
    /** An instance begins with a token. */
    private boolean hasToken = true;

    @BeforeEach
    void start() {
        world = new PushWorld(1, "--rookery.tenants[0].settings.max-pushes-per-second=5");
        for (var user : List.of(ADA, BOB)) {
            world.setPusher(user, user.user().localpart(), "/push");
            world.database.execute("""
                    INSERT INTO push.member (tenant, room_id, user_id, shard, joined_pos, cohort, cohort_from, always, pushers)
                    VALUES (1, '%s', '%s', 1, 0, 1, 0, false, true)
                    """.formatted(ROOM.value(), user.user().value()));
        }
        add("first", ADA);
        pushed(1);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void eventsBeyondThePaceArePushedInOrderAlsoAfterARestart() {
        for (int i = 1; i <= 4; i++) {
            add("m" + i, ADA, BOB);
        }
        assertThat(deferred()).containsExactly("$m1", "$m2", "$m3", "$m4");
        assertThat(world.query("SELECT event_id FROM push.unit")).containsExactly("$first");
        world.stopAll();
        world.start();
        hasToken = true;
        pushed(9);
        add("m5", ADA, BOB);
        assertThat(deferred()).containsExactly("$m5");
        pushed(11);
        assertThat(pushesOf("ada")).containsExactly("$first", "$m1", "$m2", "$m3", "$m4", "$m5");
        assertThat(pushesOf("bob")).containsExactly("$m1", "$m2", "$m3", "$m4", "$m5");
        assertThat(deferred()).isEmpty();
    }

    @Test
    void eventsThatWereReadOrRedactedMeanwhileAreNotPushed() {
        add("m1", ADA, BOB);
        add("m2", ADA, BOB);
        add("m3", ADA, BOB);
        add("m4", ADA, BOB);
        assertThat(deferred()).hasSize(4);
        inTransaction(deliveries().redacted(TENANT, new EventId("$m1")));
        world.database.execute("""
                INSERT INTO push.read_position (tenant, user_id, room_id, thread, pos)
                SELECT 1, '%s', '%s', 'main', pos FROM push.deferred_event WHERE event_id = '$m3'
                """.formatted(ADA.user().value(), ROOM.value()));
        pushed(5);
        assertThat(pushesOf("ada")).containsExactly("$first", "$m4");
        assertThat(pushesOf("bob")).containsExactly("$m2", "$m3", "$m4");
    }

    @Test
    void usersWhoHaveLeftGetNoPush() {
        add("m1", ADA, BOB);
        add("m2", ADA, BOB);
        world.database.execute("DELETE FROM push.member WHERE user_id = '%s'"
                .formatted(BOB.user().value()));
        var kick = world.event(ROOM, "kick", "m.room.member", BOB.user().value(), "{\"membership\":\"leave\"}", null);
        world.add(kick, BOB);
        pushed(4);
        assertThat(pushesOf("bob")).containsExactly("$kick");
    }

    /** Otherwise the reader would get a push for an event that was read a moment before. */
    @Test
    void eventsOfARoomWaitForTheTransactionThatRecordsWhatWasRead() {
        add("m1", ADA, BOB);
        add("m2", ADA, BOB);
        long pos = Long.parseLong(
                world.query("SELECT max(pos)::text FROM push.deferred_event").getFirst());
        var locked = new CompletableFuture<Boolean>();
        var end = new CompletableFuture<Boolean>();
        var reading = CompletableFuture.runAsync(() -> inTransaction(deliveries()
                .lock(Set.of(new TenantRoom(TENANT, ROOM)))
                .then(deliveries().read(List.of(new ReadUpTo(TENANT, ADA.user(), ROOM, pos, null))))
                .then(Mono.defer(() -> {
                    locked.complete(true);
                    return Mono.fromFuture(end).then();
                }))));
        locked.join();
        world.clock.advance(TOKEN);
        world.nodes.getFirst().bean(DeferredEvents.class).release().block(Duration.ofSeconds(20));
        assertThat(deferred()).containsExactly("$m1", "$m2");
        world.database.execute(
                "INSERT INTO push.read_position (tenant, user_id, room_id, thread, pos) VALUES (1, '%s', '%s', '', %d)"
                        .formatted(ADA.user().value(), ROOM.value(), pos));
        end.complete(true);
        reading.join();
        pushed(3);
        assertThat(pushesOf("ada")).containsExactly("$first");
        assertThat(pushesOf("bob")).containsExactly("$m1", "$m2");
    }

    /**
     * The redactions are stopped between the units of the first event and the deferred row of the second one. A creation of units that
     * waited for the former would have locked the latter, and PostgreSQL would end one of the two transactions.
     */
    @Test
    void eventsOfARoomWaitForTheTransactionThatRedactsSomeOfThem() throws SQLException {
        var node = world.nodes.getFirst();
        var events = node.bean(DeferredEvents.class);
        node.bean(DeliveryWorker.class).stop();
        inTransaction(events.insert(List.of(coalescing("m1"))));
        world.clock.advance(TOKEN);
        events.release().block(Duration.ofSeconds(20));
        assertThat(world.units("m1")).containsExactly("pending 0");
        inTransaction(events.insert(List.of(coalescing("m2"))));
        try (var stopping = world.database.connect();
                var statement = stopping.createStatement()) {
            stopping.setAutoCommit(false);
            statement.execute("SELECT FROM push.pushed_event WHERE event_id = '$m1' FOR UPDATE");
            var redacting = CompletableFuture.runAsync(() -> inTransaction(
                    node.bean(RoomCounter.class).count(List.of(redactionOf("m1", 1), redactionOf("m2", 2)))));
            await().until(() -> world.query("""
                            SELECT pid::text FROM pg_stat_activity
                             WHERE datname = current_database() AND wait_event_type = 'Lock'
                            """).size() == 1);
            events.release().block(Duration.ofSeconds(20));
            assertThat(deferred()).containsExactly("$m2");
            stopping.rollback();
            redacting.join();
        }
        assertThat(world.units("m1")).containsExactly("superseded 0");
        assertThat(deferred()).isEmpty();
    }

    private NewUnit coalescing(String name) {
        return new NewUnit(world.message(name), ADA.user(), PushWorld.verdict("coalesce"));
    }

    private News<RoomLogRecord> redactionOf(String name, long pos) {
        var sender = new UserId("@carl:one.example");
        var id = new EventId("$redaction-of-" + name);
        var meta = EventMeta.builder(
                        id, "m.room.redaction", sender, world.clock.millis(), new RoomAtEvent("shared", 2, 0))
                .redacts(new RedactionTarget(new EventId("$" + name), pos))
                .build();
        var event = new EventAppended(
                meta, "{\"type\":\"m.room.redaction\",\"sender\":\"@carl:one.example\",\"content\":{}}", null, null);
        return new News<>(
                new LogRecord(1, 1, 10 + pos, RoomLogRecord.EVENT, true, TENANT, ROOM, null, RoomLogText.write(event)),
                event);
    }

    private void add(String name, UserDevice... users) {
        world.add(world.message(name), users);
    }

    /** Gives a token for each push, until this many were sent in all. */
    private void pushed(int all) {
        while (sent < all) {
            if (!hasToken) {
                world.clock.advance(TOKEN);
            }
            hasToken = false;
            sent++;
            world.gateway.await("/push", sent);
            assertThat(world.gateway.requests("/push")).hasSize(sent);
            await().until(() -> world.query("SELECT 1 FROM push.unit WHERE outcome = 'delivered'")
                            .size()
                    == sent);
        }
    }

    private List<String> deferred() {
        return world.query("SELECT event_id FROM push.deferred_event ORDER BY id");
    }

    private List<String> pushesOf(String pushkey) {
        return world.gateway.requests("/push").stream()
                .filter(request -> request.pushkey().equals(pushkey))
                .map(RecordingGateway.Request::eventId)
                .toList();
    }

    private Deliveries deliveries() {
        return world.nodes.getFirst().bean(Deliveries.class);
    }

    private void inTransaction(Mono<Void> work) {
        work.as(world.nodes.getFirst().bean(TransactionalOperator.class)::transactional)
                .block(Duration.ofSeconds(20));
    }
}
