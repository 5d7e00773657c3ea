// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.UnexpectedAnswerException;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/**
 * A database that no longer has its last commits, as after the promotion of a standby that had not got them: everybody ends with
 * what the log says, and with all of what comes afterwards (design.md 12, Lost commits). The commits are taken out of the tables,
 * since all processes go on as they would then.
 */
@BreaksCluster("takes commits out of the database")
class LostCommitsE2E {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int LOST = 3;
    private static final int AFTER = 5;

    private final Rookery rookery;

    LostCommitsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @AfterEach
    void awaitEpochs() {
        Epochs.awaitEverywhere(rookery);
    }

    /** A room with messages of ada that bob has received, and carol, who was away, has not. */
    private final class RoomWithHistory implements AutoCloseable {
        final Http http = rookery.http();
        final Session ada = People.newcomer(http, "ada");
        final Session bob = People.newcomer(http, "bob");
        final Session carol = People.newcomer(http, "carol");
        final String room = People.roomOf(ada, bob);
        final List<String> kept = new ArrayList<>();
        final List<String> lost = new ArrayList<>();
        final String bobs;
        final String carols;

        RoomWithHistory() throws IOException {
            ada.invite(room, carol.userId());
            carol.join(room);
            kept.add(ada.say(room, "kept"));
            carols = token(carol.sync(SyncQuery.initial()));
            String bobsFirst = token(bob.sync(SyncQuery.initial()));
            kept.add(ada.say(room, "kept too"));
            for (int i = 0; i < LOST; i++) {
                lost.add(ada.say(room, "lost " + i));
            }
            assertThat(received(bob, bobsFirst)).contains(lost.getLast());
            bobs = token(patiently(bob, bobsFirst));
            assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> unread(bob) == kept.size() + LOST))
                    .as("push-service has counted them")
                    .isTrue();
        }

        List<String> received(Session reader, String since) {
            return Session.timeline(patiently(reader, since), room).stream()
                    .map(event -> event.path("event_id").asString())
                    .toList();
        }

        int unread(Session reader) {
            return patiently(reader, null)
                    .path("rooms")
                    .path("join")
                    .path(room)
                    .path("unread_notifications")
                    .path("notification_count")
                    .asInt(-1);
        }

        /** Sends messages after the commits are lost; a message may need a repetition until the loss is noticed. */
        List<String> sayMore() {
            var sent = new ArrayList<String>();
            for (int i = 0; i < AFTER; i++) {
                String text = "after " + i;
                assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> {
                            try {
                                return sent.add(ada.say(room, text));
                            } catch (IOException e) {
                                return false;
                            }
                        }))
                        .isTrue();
            }
            return sent;
        }

        void assertEndsWith(Session reader, String since, List<String> expected) {
            assertThat(Deadline.in(PATIENCE)
                            .until(PAUSE, () -> received(reader, since).contains(expected.getLast())))
                    .isTrue();
            assertThat(received(reader, since)).containsSubsequence(expected).doesNotContainAnyElementsOf(lost);
        }

        void assertCounted(Session reader, int expected) {
            assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> unread(reader) == expected))
                    .as("%s has %d unread, and not %d", reader, expected, unread(reader))
                    .isTrue();
        }

        @Override
        public void close() {
            http.close();
        }
    }

    @Test
    void whatADatabaseForgetsIsShownToNobodyAndHidesNothing() throws IOException {
        try (var talked = new RoomWithHistory()) {
            takeOut(talked.room, false);

            var after = talked.sayMore();

            for (var reader : List.of(talked.bob, talked.carol)) {
                talked.assertEndsWith(reader, reader == talked.bob ? talked.bobs : talked.carols, after);
                talked.assertCounted(reader, talked.kept.size() + AFTER);
            }
        }
    }

    @Test
    void afterAPromotionOnlyWhoHasSeenTheLostOnesBeginsAnew() throws IOException {
        try (var talked = new RoomWithHistory()) {
            takeOut(talked.room, true);

            var after = talked.sayMore();

            talked.assertEndsWith(talked.bob, talked.bobs, after);
            talked.assertEndsWith(talked.carol, talked.carols, after);
            var carols = new ArrayList<>(List.of(talked.kept.getLast()));
            carols.addAll(after);
            assertThat(talked.received(talked.carol, talked.carols))
                    .as("she is told what is new, and nothing again")
                    .containsExactlyElementsOf(carols);
            assertThat(talked.received(talked.bob, talked.bobs)).contains(talked.kept.getFirst());
            talked.assertCounted(talked.bob, talked.kept.size() + AFTER);
        }
    }

    /** Takes the last messages out, as if they had never been committed. */
    private void takeOut(String room, boolean promoted) {
        String shard = "(SELECT shard FROM room.room WHERE room_id = '" + room + "')";
        var statements = new ArrayList<>(List.of(
                "UPDATE room.shard SET pos = pos - %d WHERE shard = %s".formatted(LOST, shard),
                "UPDATE room.shard s SET number = (SELECT number FROM room.batch b WHERE b.shard = s.shard"
                        + " AND b.last_pos = s.pos) WHERE shard = " + shard));
        for (String table : List.of("log_entry e", "receipt_entry e", "event e", "search e")) {
            statements.add("DELETE FROM room." + table + " USING room.shard s WHERE s.shard = " + shard
                    + " AND e.shard = s.shard AND e.pos > s.pos");
        }
        statements.add("DELETE FROM room.batch b USING room.shard s WHERE s.shard = " + shard
                + " AND b.shard = s.shard AND b.last_pos > s.pos");
        if (promoted) {
            statements.add("UPDATE room.origin SET timeline = '00000000'");
        }
        rookery.database("room-service").execute("DO $$ BEGIN " + String.join("; ", statements) + "; END $$");
    }

    private static String token(JsonNode sync) {
        return sync.path("next_batch").asString();
    }

    /** Whoever asks at the moment of a restore is told to come again. */
    private static JsonNode patiently(Session reader, @Nullable String since) {
        var answer = new ArrayList<JsonNode>();
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> {
                    try {
                        return answer.add(reader.sync(since == null ? SyncQuery.initial() : SyncQuery.since(since)));
                    } catch (UnexpectedAnswerException e) {
                        assertThat(e.isPassing()).as(e.toString()).isTrue();
                        return false;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }))
                .isTrue();
        return answer.getFirst();
    }
}
