// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.UnexpectedAnswerException;
import rookery.e2e.checking.Violation;
import rookery.e2e.fault.FaultAgent;
import rookery.e2e.fault.SyncFault;
import rookery.e2e.load.Crowd;
import rookery.e2e.load.FinishedTalk;
import rookery.e2e.load.Kills;
import rookery.e2e.load.ReadingAlong;
import rookery.e2e.load.Talk;
import rookery.e2e.running.Newcomer;
import rookery.e2e.running.Rookery;
import rookery.e2e.running.SingleInstance;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** The short forms of what {@code deploy/e2e/lossless} does for minutes; and the proof that the checker can fail. */
@BreaksCluster("kills processes and breaks others on purpose")
@TestMethodOrder(OrderAnnotation.class)
class LossE2E {
    /** Shorter than a long poll, much longer than a message may take on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Shorter than the silence between bursts. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final Duration HEALED = Duration.ofMinutes(3);
    private static final int SPOILT = 9;

    private final Rookery rookery;

    LossE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @AfterEach
    void awaitEpochs() {
        Epochs.awaitEverywhere(rookery);
    }

    @Test
    @Order(1)
    void everybodyHearsEverythingOnceAndInOneOrder() throws IOException {
        try (var crowd = crowd(4, 2, 3, 1)) {
            var reading = ReadingAlong.twice(crowd);
            var talked = Talk.hold(rookery, crowd, Talk.Amount.steady(20, Duration.ofSeconds(5)), reading);
            assertLossless(talked, PATIENCE);
            assertThat(reading.receipts()).isPositive();
            assertThat(talked.supersededEntries()).isPositive();
        }
    }

    @Test
    @Order(2)
    void nothingIsLostWhenProcessesAreKilled() throws IOException {
        var victims = List.of("room-service-1", "kafka-1", "sync-service-2");
        var kills = Kills.random(rookery, 7, victims.size(), Duration.ofSeconds(6), victims, System.out::println);
        try (var crowd = crowd(4, 2, 3, 1)) {
            var talked = Talk.hold(
                    rookery,
                    crowd,
                    Talk.Amount.steady(20, Duration.ofSeconds(5)).patience(HEALED),
                    ReadingAlong.beside(crowd, kills));
            assertLossless(talked, null);
            assertThat(talked.supersededEntries()).isPositive();
        }
    }

    /** Broken nodes, tested one after the other; their starts, which take longest, run concurrently. */
    @Test
    @Order(3)
    void nodesThatSkipOrTellTwiceAreCaught() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var starting = threads.submit(() -> spoilt("twice", SPOILT + 1));
            try (var skipping = spoilt("skip", SPOILT);
                    var doubling = starting.get()) {
                assertThat(violationsOn(skipping)).hasAtLeastOneElementOfType(Violation.Lost.class);
                assertThat(violationsOn(doubling)).hasAtLeastOneElementOfType(Violation.Doubled.class);
            }
        }
    }

    @Test
    @Order(4)
    void batchThatTakesAPositionAndWritesNothingIsCaught() throws IOException {
        var violations = beside("BEFORE UPDATE ON room.shard", "NEW.pos := NEW.pos + 1;");
        // a position without an entry counts as a lost commit, so clients behind it start with a full sync
        assertThat(violations).hasAtLeastOneElementOfType(Violation.Gap.class);
    }

    @Test
    @Order(5)
    void receiptThatIsDeletedAlthoughItStillCountsIsCaught() throws IOException {
        var violations = beside("AFTER UPDATE ON room.receipt", """
                DELETE FROM room.receipt_entry l USING room.room r
                 WHERE r.tenant = NEW.tenant AND r.room_id = NEW.room_id AND l.shard = r.shard AND l.pos = NEW.pos;
                """);
        assertThat(violations).isNotEmpty().hasOnlyElementsOfType(Violation.Gap.class);
    }

    /**
     * The violations of a talk while a trigger of the database imitates a broken room-service.
     *
     * @param event of a trigger
     * @param fault the trigger's action for each row
     */
    private List<Violation> beside(String event, String fault) throws IOException {
        var database = rookery.database("room-service");
        try (var crowd = crowd(4, 2, 3, 1)) {
            database.execute(
                    "CREATE FUNCTION room.fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %s RETURN NEW; END $$"
                            .formatted(fault),
                    "CREATE TRIGGER fault %s FOR EACH ROW EXECUTE FUNCTION room.fault()".formatted(event));
            try {
                var amount = Talk.Amount.steady(20, Duration.ofSeconds(2));
                return Talk.hold(rookery, crowd, amount, ReadingAlong.twice(crowd))
                        .violations(PATIENCE);
            } finally {
                // a position that no batch has taken shows only when the next one is taken, in some other test
                database.execute("DROP FUNCTION room.fault CASCADE", """
                        INSERT INTO room.batch (shard, last_pos, number, created_ms)
                        SELECT shard, pos, number, (extract(epoch FROM now()) * 1000)::bigint
                          FROM room.shard WHERE number <> 0 ON CONFLICT DO NOTHING
                        """);
            }
        }
    }

    @Test
    @Order(6)
    void tokensOfAnOlderEpochBeginAnew() throws IOException {
        try (var http = rookery.http()) {
            var ada = People.newcomer(http, "ada");
            var grace = People.newcomer(http, "grace");
            var room = People.roomOf(ada, grace);
            var first = ada.say(room, "before");
            var old = grace.sync(SyncQuery.initial()).path("next_batch").asString();
            assertThat(received(grace, old, room)).isEmpty();

            rookery.database("room-service").execute("UPDATE room.shard SET epoch = epoch + 1");
            rookery.database("auth-service").execute("UPDATE auth.shard SET epoch = epoch + 1");

            assertThat(Deadline.in(Duration.ofSeconds(20))
                            .until(() -> received(grace, old, room).contains(first)))
                    .isTrue();
            var since = patiently(grace, old).path("next_batch").asString();
            var second = ada.say(room, "after");
            assertThat(received(grace, since, room)).containsExactly(second);
        }
    }

    private List<String> received(Session reader, String since, String room) {
        try {
            return Session.timeline(patiently(reader, since), room).stream()
                    .map(event -> event.path("event_id").asString())
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Whoever asks at the moment of a restore is told to come again. */
    private static JsonNode patiently(Session reader, String since) throws IOException {
        var deadline = Deadline.in(Duration.ofSeconds(20));
        while (true) {
            try {
                return reader.sync(SyncQuery.since(since));
            } catch (UnexpectedAnswerException e) {
                if (!e.isPassing() || deadline.passed()) {
                    throw e;
                }
            }
        }
    }

    private Newcomer spoilt(String fault, int number) {
        return Newcomer.start(rookery, "sync-service", number, List.of(FaultAgent.flag(SyncFault.named(fault))));
    }

    /** What the checker finds when all clients talk to one node. */
    private List<Violation> violationsOn(Newcomer node) throws IOException {
        var amount = Talk.Amount.steady(50, Duration.ofSeconds(3)).patience(Duration.ofSeconds(8));
        try (var single = SingleInstance.on(node, rookery);
                var crowd = Crowd.gather(People.name("crowd"), List.of(new Crowd.TenantSize(rookery.site(), 8, 1)))) {
            assertThat(single).isNotNull();
            return Talk.hold(rookery, crowd, amount, () -> {}).violations(SILENCE);
        }
    }

    private Crowd crowd(int people, int rooms, int otherPeople, int otherRooms) throws IOException {
        return Crowd.gather(
                People.name("crowd"),
                List.of(
                        new Crowd.TenantSize(rookery.site(), people, rooms),
                        new Crowd.TenantSize(rookery.site(SharedRookery.SECOND_TENANT), otherPeople, otherRooms)));
    }

    private void assertLossless(FinishedTalk talked, @Nullable Duration patience) {
        assertThat(talked.troubles()).isEmpty();
        assertThat(talked.violations(patience)).isEmpty();
        assertThat(talked.allReceived()).isTrue();
        System.out.printf(
                "%d messages, %d deliveries, %d attempts repeated%n",
                talked.messages(), talked.deliveries(), talked.failedAttempts());
    }
}
