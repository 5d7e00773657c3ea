// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Delays.DELAY;
import static rookery.room.Delays.EVENTS;
import static rookery.room.Delays.HOUR;
import static rookery.room.Delays.PATIENCE;
import static rookery.room.Delays.act;
import static rookery.room.Delays.awaitBodies;
import static rookery.room.Delays.bodies;
import static rookery.room.Delays.delayId;
import static rookery.room.Delays.event;
import static rookery.room.Delays.finished;
import static rookery.room.Delays.later;
import static rookery.room.Delays.makeDue;
import static rookery.room.Delays.messages;
import static rookery.room.Delays.room;
import static rookery.room.Talk.assertRefused;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.Deadline;
import rookery.room.RoomServer.Client;

/** Events that are sent later (contract.md 8.5). An event with a long delay is due when the test moves its time in the table. */
class DelayedEventsIT {
    private static final int OF_USER = 30;
    /** Milliseconds between the times of events: a request on a busy machine must take less. */
    private static final int BETWEEN = 60_000;

    @RegisterExtension
    static final RoomServer server = RoomServer.own(
            "--rookery.room.delayed-event.interval=50ms",
            "--rookery.room.delayed-event.of-user-max=" + OF_USER,
            "--rookery.room.delayed-event.of-user-bytes-max=100KB",
            "--rookery.tenants[1].delayed-events=false");

    private static Client ada;
    private static Client bob;

    @BeforeAll
    static void start() {
        ada = server.as("ada");
        bob = server.as("bob");
    }

    @Test
    void anEventIsSentAfterItsDelayAndNamesTheDelayIdForItsSender() {
        String room = room(ada);
        bob.post("/rooms/" + room + "/join", "{}");
        long begun = System.currentTimeMillis();
        String id = delayId(later(ada, room, "soon", DELAY + "300"));
        assertThat(id).matches("[A-Za-z0-9_-]{43}");
        awaitBodies(ada, room, 1);

        var sent = messages(ada, room).getFirst();
        assertThat(sent.path("origin_server_ts").asLong()).isGreaterThanOrEqualTo(begun + 300);
        assertThat(sent.path("unsigned").path("org.matrix.msc4140.delay_id").asString())
                .isEqualTo(id);
        assertThat(messages(bob, room).getFirst().path("unsigned").has("org.matrix.msc4140.delay_id"))
                .isFalse();
        assertThat(finished(ada, id).path("event_id")).isEqualTo(sent.path("event_id"));
    }

    @Test
    void aRepeatedRequestSchedulesNothing() {
        String room = room(ada);
        String id = delayId(later(ada, room, "once", HOUR));
        assertThat(delayId(later(ada, room, "once", HOUR))).isEqualTo(id);
        String path = "/unstable/org.matrix.msc4140/rooms/" + room + "/delayed_event/m.room.message/once";
        assertThat(delayId(ada.put(path, "{\"delay\":1,\"content\":{}}"))).isEqualTo(id);
        assertThat(delayId(later(ada.on("TABLET"), room, "once", HOUR))).isNotEqualTo(id);
        makeDue(server, id);
        awaitBodies(ada, room, 1);
        assertThat(delayId(later(ada, room, "once", HOUR))).as("after sending").isEqualTo(id);
        assertThat(bodies(ada, room)).containsExactly("once");
    }

    @Test
    void theEventsOfARoomAreSentInTheOrderOfTheirTimesByTwoInstances() {
        var users = List.of(server.as("ora"), server.as("otto"), server.as("olaf"));
        String room = room(users.getFirst());
        String other = room(users.getFirst());
        ada.post("/rooms/" + room + "/join", "{}");
        ada.post("/rooms/" + other + "/join", "{}");
        var ids = new ArrayList<String>();
        var expected = new ArrayList<String>();
        for (var user : users) {
            user.post("/rooms/" + room + "/join", "{}");
            user.post("/rooms/" + other + "/join", "{}");
        }
        for (int i = 0; i < OF_USER; i++) {
            var user = users.get(i % users.size());
            // the later the request, the earlier the event is due
            ids.add(delayId(later(user, room, "n" + i, DELAY + (3_590_000 - i * BETWEEN))));
            ids.add(delayId(later(user, other, "n" + i, DELAY + 3_590_000)));
            expected.addFirst("n" + i);
        }
        try (var _ = server.another()) {
            makeDue(server, ids.toArray(String[]::new));
            awaitBodies(ada, room, OF_USER);
            awaitBodies(ada, other, OF_USER);
        }
        assertThat(bodies(ada, room)).isEqualTo(expected);
        assertThat(bodies(ada, other)).isEqualTo(expected.reversed());
    }

    @Test
    void eventsDueDuringARestartAreSentAfterwardsInOrder() {
        String room = room(ada);
        var ids = new ArrayList<String>();
        for (int i = 0; i < 9; i++) {
            ids.add(delayId(later(ada, room, "r" + i, DELAY + (3_590_000 - i * BETWEEN))));
        }
        makeDue(server, ids.toArray(String[]::new));
        server.restart();
        awaitBodies(ada, room, ids.size());
        assertThat(bodies(ada, room)).containsExactly("r8", "r7", "r6", "r5", "r4", "r3", "r2", "r1", "r0");
    }

    @Test
    void aRestartedEventIsDueItsWholeDelayLater() {
        String room = room(ada);
        String id = delayId(later(ada, room, "beat", HOUR));
        long before = event(ada, id).path("running_since").asLong();
        server.bean(DatabaseClient.class)
                .sql("UPDATE room.delayed_event SET due_ms = due_ms - 3000000 WHERE delay_id = :id")
                .bind("id", id)
                .then()
                .block();
        assertThat(act(bob, id, "restart").status()).isEqualTo(200);
        assertThat(event(ada, id).path("running_since").asLong()).isGreaterThanOrEqualTo(before);
        assertThat(bodies(ada, room)).isEmpty();
    }

    @Test
    void actionsOnFinishedEventsAreRepeatableAndContradictionsRefused() {
        String room = room(ada);
        String cancelled = delayId(later(ada, room, "never", HOUR));
        assertThat(act(bob, cancelled, "cancel").status()).isEqualTo(200);
        assertThat(act(bob, cancelled, "cancel").status()).isEqualTo(200);
        assertRefused(act(bob, cancelled, "send"), 409, "M_UNKNOWN");
        assertRefused(act(bob, cancelled, "restart"), 409, "M_UNKNOWN");
        makeDue(server, cancelled);

        String sent = delayId(later(ada, room, "now", HOUR));
        assertThat(ada.post(EVENTS + "/" + sent, "{\"action\":\"send\"}").status())
                .as("the older form")
                .isEqualTo(200);
        assertThat(bodies(ada, room)).containsExactly("now");
        assertThat(act(bob, sent, "send").status()).isEqualTo(200);
        assertRefused(act(bob, sent, "cancel"), 409, "M_UNKNOWN");
        assertRefused(act(bob, sent, "restart"), 409, "M_UNKNOWN");
        assertThat(bodies(ada, room)).containsExactly("now");

        for (String action : List.of("send", "cancel", "restart")) {
            for (String unknown : List.of("unknown", "a%00b", "A".repeat(43))) {
                assertRefused(act(bob, unknown, action), 404, "M_NOT_FOUND");
                assertRefused(bob.get(EVENTS + "/" + unknown), 404, "M_NOT_FOUND");
            }
            assertRefused(
                    server.as("@ada:example.net").post(EVENTS + "/" + sent + "/" + action, "{}"), 404, "M_NOT_FOUND");
        }
        assertRefused(act(bob, sent, "explode"), 400, "M_INVALID_PARAM");
        assertRefused(ada.post(EVENTS + "/" + sent, "{}"), 400, "M_MISSING_PARAM");
    }

    @Test
    void statesMembershipsAndRedactionsCanBeDelayed() {
        String room = room(ada);
        String path = "/rooms/" + room;
        bob.post(path + "/join", "{}");
        String said = ada.send(room, "t1", "burn after reading").text("event_id");
        var ids = List.of(
                delayId(ada.put(path + "/state/m.room.topic" + HOUR, "{\"topic\":\"late\"}")),
                delayId(ada.put(path + "/state/m.room.name/" + HOUR, "{\"name\":\"late\"}")),
                delayId(ada.put(path + "/state/org.example.call/_ada_PHONE" + HOUR, "{\"a\":1}")),
                delayId(ada.put(path + "/state/m.room.member/@bob:example.org" + HOUR, "{\"membership\":\"ban\"}")),
                delayId(ada.put(path + "/send/m.room.redaction/r1" + HOUR, "{\"redacts\":\"" + said + "\"}")),
                delayId(ada.put(
                        "/unstable/org.matrix.msc4140" + path + "/delayed_event/org.example.call/t2",
                        "{\"delay\":3600000,\"state_key\":\"x\",\"content\":{\"b\":2}}")));
        assertThat(ada.get(path + "/state/m.room.topic").status()).isEqualTo(404);
        makeDue(server, ids.toArray(String[]::new));
        ids.forEach(id -> assertThat(finished(ada, id).has("event_id")).as(id).isTrue());
        assertThat(ada.get(path + "/state/m.room.topic").text("topic")).isEqualTo("late");
        assertThat(ada.get(path + "/state/m.room.name").text("name")).isEqualTo("late");
        assertThat(ada.get(path + "/state/org.example.call/_ada_PHONE")
                        .json()
                        .path("a")
                        .asInt())
                .isEqualTo(1);
        assertThat(ada.get(path + "/state/org.example.call/x").json().path("b").asInt())
                .isEqualTo(2);
        assertThat(ada.get(path + "/state/m.room.member/@bob:example.org").text("membership"))
                .isEqualTo("ban");
        assertThat(ada.get(path + "/event/" + said).json().path("content")).isEmpty();
    }

    @Test
    void thePowerAtTheTimeOfSendingDecides() {
        String room = room(ada);
        String path = "/rooms/" + room;
        String later = delayId(bob.put(path + "/state/m.room.name" + HOUR, "{\"name\":\"bob's\"}"));
        assertRefused(act(bob, later, "send"), 403, "M_FORBIDDEN");
        assertThat(event(bob, later).has("origin_server_ts"))
                .as("still scheduled")
                .isFalse();
        bob.post(path + "/join", "{}");
        ada.put(path + "/state/m.room.power_levels", "{\"users\":{\"@ada:example.org\":100,\"@bob:example.org\":50}}");
        assertThat(act(bob, later, "send").status()).isEqualTo(200);
        assertThat(ada.get(path + "/state/m.room.name").text("name")).isEqualTo("bob's");

        String refused = delayId(later(bob, room, "gone", HOUR));
        ada.post(path + "/ban", "{\"user_id\":\"@bob:example.org\"}");
        makeDue(server, refused);
        assertThat(Deadline.in(PATIENCE).until(() -> event(bob, refused).has("error")))
                .isTrue();
        assertThat(event(bob, refused).path("error").path("errcode").asString()).isEqualTo("M_FORBIDDEN");
        assertThat(act(bob, refused, "cancel").status()).isEqualTo(200);
        assertRefused(act(bob, refused, "send"), 409, "M_UNKNOWN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1.5", "soon", "99999999999999999999"})
    void aDelayThatIsNoTimeIsRefusedAndTheEventNotSent(String delay) {
        String room = room(ada);
        assertRefused(later(ada, room, "t1", DELAY + delay), 400, "M_INVALID_PARAM");
        assertRefused(
                ada.put("/rooms/" + room + "/state/m.room.name" + DELAY + delay, "{\"name\":\"x\"}"),
                400,
                "M_INVALID_PARAM");
        assertThat(bodies(ada, room)).isEmpty();
        assertThat(ada.get("/rooms/" + room + "/state/m.room.name").status()).isEqualTo(404);
    }

    @Test
    void tooLongDelaysAndTenantsWithoutDelayedEventsAreRefusedAsClientsExpect() {
        String room = room(ada);
        var tooLong = later(ada, room, "t1", DELAY + "86400001");
        assertRefused(tooLong, 400, "M_UNKNOWN");
        assertThat(tooLong.text("org.matrix.msc4140.errcode")).isEqualTo("M_MAX_DELAY_EXCEEDED");
        assertThat(tooLong.json().path("org.matrix.msc4140.max_delay").asLong()).isEqualTo(86_400_000);
        var stranger = server.as("@ada:example.net");
        String theirs = stranger.createRoom("{}");
        var off = later(stranger, theirs, "t1", DELAY + "1");
        assertRefused(off, 400, "M_UNKNOWN");
        assertThat(off.text("org.matrix.msc4140.errcode")).isEqualTo("M_MAX_DELAY_UNSUPPORTED");
        assertThat(messages(stranger, theirs)).isEmpty();
    }

    @Test
    void invalidEventsAreRefusedWhenTheyAreScheduled() {
        String room = room(ada);
        String path = "/rooms/" + room;
        assertRefused(ada.put(path + "/send/m.room.member/t1" + HOUR, "{}"), 400, "M_INVALID_PARAM");
        assertRefused(ada.put(path + "/send/m.room.redaction/t1" + HOUR, "{}"), 400, "M_MISSING_PARAM");
        assertRefused(ada.put(path + "/send/m.room.message/t1" + HOUR, "{\"a\":1.5}"), 400, "M_BAD_JSON");
        assertRefused(ada.put(path + "/state/m.room.create" + HOUR, "{}"), 403, "M_FORBIDDEN");
        assertRefused(ada.put(path + "/state/m.room.power_levels" + HOUR, "{\"ban\":\"1\"}"), 400, "M_BAD_JSON");
        assertRefused(ada.put(path + "/state/m.room.member/ada" + HOUR, "{}"), 400, "M_INVALID_PARAM");
        assertRefused(
                ada.put(path + "/send/m.room.message/t1" + HOUR, "{\"a\":\"" + "x".repeat(66_000) + "\"}"),
                413,
                "M_TOO_LARGE");
        assertRefused(later(ada.asSuspended(), room, "t1", HOUR), 403, "M_USER_SUSPENDED");
    }

    @Test
    void aUserHasALimitedNumberOfEventsAndBytes() {
        var lia = server.as("lia");
        String room = room(lia);
        var ids = new ArrayList<String>();
        for (int i = 0; i < OF_USER; i++) {
            ids.add(delayId(later(lia, room, "t" + i, HOUR)));
        }
        var refused = later(lia, room, "more", HOUR);
        assertRefused(refused, 429, "M_LIMIT_EXCEEDED");
        assertThat(refused.json().path("retry_after_ms").asLong()).isBetween(1L, 3_600_000L);
        act(bob, ids.getFirst(), "cancel");
        delayId(later(lia, room, "more", HOUR));

        var max = server.as("max");
        String large = "{\"body\":\"" + "x".repeat(50_000) + "\"}";
        String path = "/rooms/" + room + "/send/m.room.message/";
        delayId(max.put(path + "a" + HOUR, large));
        delayId(max.put(path + "b" + HOUR, large));
        assertRefused(max.put(path + "c" + HOUR, large), 429, "M_LIMIT_EXCEEDED");
    }

    @Test
    void usersSeeTheirOwnEventsInPages() {
        var pia = server.as("pia");
        String room = room(pia);
        var ids = new ArrayList<String>();
        for (int i = 0; i < 12; i++) {
            ids.add(delayId(later(pia, room, "t" + i, DELAY + (3_000_000 + i))));
        }
        act(bob, ids.get(3), "cancel");
        var first = pia.get(EVENTS);
        var second = pia.get(EVENTS + "?from=" + first.text("next_batch"));
        var read = new ArrayList<String>();
        for (var page : List.of(first, second)) {
            page.json()
                    .path("delayed_events")
                    .forEach(event -> read.add(event.path("delay_id").asString()));
        }
        assertThat(read).isEqualTo(ids);
        assertThat(second.json().has("next_batch")).isFalse();
        assertThat(pia.get(EVENTS + "?status=finalised")
                        .json()
                        .path("delayed_events")
                        .size())
                .isEqualTo(1);
        assertThat(pia.get(EVENTS + "?status=scheduled")
                        .json()
                        .path("delayed_events")
                        .path(0)
                        .path("content"))
                .isEqualTo(event(pia, ids.getFirst()).path("content"));
        assertRefused(pia.get(EVENTS + "?status=lost"), 400, "M_INVALID_PARAM");
        assertRefused(ada.get(EVENTS + "?from=" + first.text("next_batch")), 400, "M_INVALID_PARAM");
        assertRefused(ada.get(EVENTS + "/" + ids.getFirst()), 404, "M_NOT_FOUND");
        assertThat(server.as("@pia:example.net").get(EVENTS).json().path("delayed_events"))
                .isEmpty();
    }

    @Test
    void theEventsOfADeactivatedUserAreDeleted() {
        var zoe = server.as("zoe");
        String room = room(zoe);
        delayId(later(zoe, room, "t1", HOUR));
        server.internal(
                "POST", "/internal/users/depart", "{\"tenant\":1,\"user\":\"@zoe:example.org\",\"erase\":false}");
        assertThat(zoe.get(EVENTS).json().path("delayed_events")).isEmpty();
    }

    @Test
    void theEventsOfABlockedUserAreDeleted() {
        var yan = server.as("yan");
        String room = room(yan);
        delayId(later(yan, room, "t1", HOUR));
        server.users.block(yan.user);
        assertThat(Deadline.in(PATIENCE)
                        .until(() -> Objects.requireNonNull(
                                        yan.get(EVENTS).json().get("delayed_events"))
                                .isEmpty()))
                .isTrue();
    }
}
