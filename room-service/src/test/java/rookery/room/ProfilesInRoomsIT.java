// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Answer;
import tools.jackson.databind.JsonNode;

/** Names in rooms follow the user log, whatever happens in between. */
class ProfilesInRoomsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    @Test
    void aChangedNameIsShownInEveryJoinedRoomAndNowhereElse() {
        var ada = server.as("ada");
        String joined = ada.createRoom("{}");
        String left = ada.createRoom("{}");
        ada.post("/rooms/" + left + "/leave", "{}");
        String invited = server.as("bob").createRoom("{\"invite\":[\"@ada:example.org\"]}");

        server.users.rename(ada.user, "Countess");
        until(() -> name("ada", joined, ada.user).equals("Countess"));

        assertThat(memberEvents("ada", joined)).hasSize(2);
        assertThat(name("ada", left, ada.user)).isEmpty();
        assertThat(name("bob", invited, ada.user)).isEqualTo("ada");
        var event = memberEvents("ada", joined).getLast();
        assertThat(event.path("content").path("membership").stringValue()).isEqualTo("join");
        assertThat(event.path("unsigned")
                        .path("prev_content")
                        .path("displayname")
                        .stringValue())
                .isEqualTo("ada");
    }

    @Test
    void theSameContentStaysWithoutWhoVouchedForTheMember() {
        var owner = server.as("own");
        String lobby = owner.createRoom("{\"preset\":\"public_chat\"}");
        String room = owner.createRoom("""
                {"initial_state":[{"type":"m.room.join_rules","content":{"join_rule":"restricted",
                 "allow":[{"type":"m.room_membership","room_id":"%s"}]}}]}""".formatted(lobby));
        var cyd = server.as("cyd");
        cyd.post("/rooms/" + lobby + "/join", "{}");
        assertThat(cyd.post("/rooms/" + room + "/join", "{\"reason\":\"why not\"}")
                        .status())
                .isEqualTo(200);
        assertThat(member("cyd", room, cyd.user).text("join_authorised_via_users_server"))
                .isEqualTo(owner.user);

        server.users.rename(cyd.user, "Cydonia");
        until(() -> name("cyd", room, cyd.user).equals("Cydonia"));

        assertThat(member("cyd", room, cyd.user).json().toString())
                .isEqualTo("{\"displayname\":\"Cydonia\",\"membership\":\"join\",\"reason\":\"why not\"}");
    }

    @Test
    void quickChangesAreGatheredAndClearingRemovesTheName() {
        var dan = server.as("dan");
        String room = dan.createRoom("{}");

        for (int i = 0; i < 50; i++) {
            server.users.rename(dan.user, "Dan " + i);
        }
        server.users.rename(dan.user, null);
        until(() -> !member("dan", room, dan.user).json().has("displayname"));

        assertThat(memberEvents("dan", room).size()).isLessThan(10);
    }

    @Test
    void aJoinTakesTheNewerOfTheCopyAndTheAnswer() {
        var eve = server.as("eve");
        String old = eve.createRoom("{}");
        String host = server.as("hal").createRoom("{\"preset\":\"public_chat\"}");
        String later = server.as("hal").createRoom("{\"preset\":\"public_chat\"}");
        server.users.rename(eve.user, "Copied");
        until(() -> name("eve", old, eve.user).equals("Copied"));

        server.users.answer(eve.user, "Stale", 0);
        eve.post("/rooms/" + host + "/join", "{}");
        assertThat(name("eve", host, eve.user)).isEqualTo("Copied");
        String made = eve.createRoom("{}");
        assertThat(name("eve", made, eve.user)).isEqualTo("Copied");

        server.users.answer(eve.user, "Ahead", 1_000_000);
        eve.post("/rooms/" + later + "/join", "{}");
        assertThat(name("eve", later, eve.user)).isEqualTo("Ahead");
    }

    @Test
    void noRoomKeepsAnOldNameThroughRestarts() throws Exception {
        var users = List.of("fay", "gus", "ivy", "joe", "kim");
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 8; i++) {
            rooms.add(server.as("fay").createRoom("{\"preset\":\"public_chat\"}"));
        }
        for (int change = 0; change < 100; change++) {
            String user = users.get(change % users.size());
            server.users.rename(server.as(user).user, user + " " + change);
            if (change % 10 == 5) {
                String room = rooms.get((change / 10) % rooms.size());
                try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (var join : users.stream()
                            .map(name -> threads.submit(() -> server.as(name).post("/rooms/" + room + "/join", "{}")))
                            .toList()) {
                        assertThat(join.get().status()).isEqualTo(200);
                    }
                }
            }
            if (change % 25 == 13) {
                server.restart(); // with changes neither copied nor spread
            }
        }

        for (String room : rooms) {
            var members = server.as("fay")
                    .get("/rooms/" + room + "/joined_members")
                    .json()
                    .path("joined");
            assertThat(members.size()).isEqualTo(users.size());
            for (int i = 0; i < users.size(); i++) {
                String user = users.get(i);
                String last = user + " " + (95 + i);
                until(() -> name(user, room, server.as(user).user).equals(last));
            }
        }
    }

    @Test
    void twoInstancesShowEachChangeOnce() {
        var pam = server.as("pam");
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 30; i++) {
            rooms.add(pam.createRoom("{}"));
        }
        var other = server.another();
        try {
            for (int change = 1; change <= 3; change++) {
                String changed = "Pam " + change;
                server.users.rename(pam.user, changed);
                rooms.forEach(room -> until(() -> name("pam", room, pam.user).equals(changed)));
            }
        } finally {
            other.close();
        }

        rooms.forEach(room -> assertThat(memberEvents("pam", room)).hasSize(4));
    }

    @Test
    void whoIsIgnoredIsNotReadAndTheirStateIs() {
        var lea = server.as("lea");
        var max = server.as("max");
        String room = lea.createRoom("{\"preset\":\"public_chat\"}");
        max.post("/rooms/" + room + "/join", "{}");
        for (int i = 0; i < 60; i++) {
            max.send(room, "t" + i, "noise");
        }
        lea.send(room, "t", "signal");

        server.users.ignore(lea.user, max.user);
        assertThat(texts(lea.get("/rooms/" + room + "/messages?dir=b&limit=2"))).containsExactly("signal", "max");

        server.users.ignore(lea.user);
        assertThat(texts(lea.get("/rooms/" + room + "/messages?dir=b&limit=2"))).containsExactly("signal", "noise");
    }

    @Test
    void theCopyOfAnIgnoreListServesWhileTheLogIsAhead() {
        var ned = server.as("ned");
        var ora = server.as("ora");
        String room = ned.createRoom("{\"preset\":\"public_chat\"}");
        ora.post("/rooms/" + room + "/join", "{}");
        ora.send(room, "t", "noise");
        server.users.logIsAway(true);
        try {
            server.users.ignore(ned.user, ora.user);
            assertThat(texts(ned.get("/rooms/" + room + "/messages?dir=b&limit=1")))
                    .containsExactly("ora");
        } finally {
            server.users.logIsAway(false);
        }
        assertThat(texts(ned.get("/rooms/" + room + "/messages?dir=b&limit=1"))).containsExactly("ora");
    }

    private static List<String> texts(Answer messages) {
        var texts = new ArrayList<String>();
        for (var event : messages.json().path("chunk")) {
            var content = event.path("content");
            texts.add(content.path("body").asString(content.path("displayname").asString("")));
        }
        return texts;
    }

    private static List<JsonNode> memberEvents(String reader, String room) {
        String filter = "%7B%22types%22:%5B%22m.room.member%22%5D%7D";
        var events = new ArrayList<JsonNode>();
        server.as(reader)
                .get("/rooms/" + room + "/messages?dir=f&limit=100&filter=" + filter)
                .json()
                .path("chunk")
                .forEach(events::add);
        return events;
    }

    private static String name(String reader, String room, String user) {
        return member(reader, room, user).text("displayname");
    }

    private static Answer member(String reader, String room, String user) {
        return server.as(reader).get("/rooms/" + room + "/state/m.room.member/" + user);
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("it did not come to pass");
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
