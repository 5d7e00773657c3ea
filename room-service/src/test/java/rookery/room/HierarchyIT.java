// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;

/** The rooms of a space as shown to different users (contract.md 13.8). */
class HierarchyIT {
    private static final String VIA = "\"via\":[\"example.org\"]";

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Client ada;

    @BeforeAll
    static void start() {
        ada = server.as("ada");
    }

    private static String space(String name) {
        return ada.createRoom("{\"preset\":\"public_chat\",\"name\":\"%s\",\"creation_content\":{\"type\":\"m.space\"}}"
                .formatted(name));
    }

    private static String room(String name) {
        return ada.createRoom("{\"preset\":\"public_chat\",\"name\":\"%s\"}".formatted(name));
    }

    private static void child(String space, String room, String content) {
        assertThat(ada.put("/rooms/" + space + "/state/m.space.child/" + room, "{" + content + "}")
                        .status())
                .isEqualTo(200);
    }

    private static Answer ask(Client client, String space, String query) {
        return client.get("/v1/rooms/" + space + "/hierarchy" + query);
    }

    private static List<String> names(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return StreamSupport.stream(answer.json().path("rooms").spliterator(), false)
                .map(room -> room.path("name").asString(""))
                .toList();
    }

    @Test
    void roomsComeDepthFirstAndChildrenInTheirOrder() {
        String root = space("root");
        String sub = space("sub");
        for (String name : List.of("late", "early", "first", "odd")) {
            String order =
                    name.equals("first") ? ",\"order\":\"b\"" : name.equals("odd") ? ",\"order\":\"\\u0007\"" : "";
            child(root, room(name), VIA + order);
        }
        child(root, sub, VIA + ",\"order\":\"a\"");
        child(sub, room("inner"), VIA);
        child(root, room("gone"), "");
        child(root, room("empty"), "\"via\":[]");
        child(root, "!nowhere:example.org", VIA);
        child(root, "nonsense", VIA);

        assertThat(names(ask(ada, root, ""))).containsExactly("root", "sub", "inner", "first", "late", "early", "odd");
        assertThat(names(ask(ada, root, "?max_depth=0"))).containsExactly("root");
        assertThat(names(ask(ada, root, "?max_depth=1")))
                .doesNotContain("inner")
                .contains("sub", "odd");
        var states = ask(ada, root, "").json().path("rooms").get(0).path("children_state");
        assertThat(states.size()).isEqualTo(6);
        assertThat(states.get(0).propertyNames())
                .containsExactlyInAnyOrder("type", "state_key", "sender", "content", "origin_server_ts");
        assertThat(states.get(0).path("state_key").stringValue()).isEqualTo(sub);
    }

    @Test
    void pagesEndByBytesToo() {
        String root = space("large");
        var names = new ArrayList<>(List.of("large"));
        for (int i = 0; i < 24; i++) {
            String child = i % 5 == 0 ? space("s" + i) : room("r" + i);
            ada.put("/rooms/" + child + "/state/m.room.topic/", "{\"topic\":\"" + "t".repeat(60_000) + "\"}");
            child(root, child, VIA + ",\"order\":\"" + (char) ('a' + i) + "\"");
            names.add((i % 5 == 0 ? "s" : "r") + i);
        }
        var listed = new ArrayList<String>();
        String next = "";
        do {
            var page = LargeEvents.page(ask(ada, root, next));
            listed.addAll(names(page));
            next = page.json().has("next_batch") ? "?from=" + page.text("next_batch") : "";
        } while (!next.isEmpty());
        assertThat(listed).isEqualTo(names);
    }

    @Test
    void noRoomIsToldTwiceWhereLargeOnesAppearInFront() {
        String root = space("root");
        for (int i = 0; i < 4; i++) {
            child(root, room("r" + i), VIA + ",\"order\":\"r%d\"".formatted(i));
        }
        var first = ask(ada, root, "?limit=3");
        for (int i = 0; i < 24; i++) {
            String large = room("early" + i);
            ada.put("/rooms/" + large + "/state/m.room.topic/", "{\"topic\":\"" + "t".repeat(60_000) + "\"}");
            child(root, large, VIA + ",\"order\":\"a\"");
        }

        assertThat(names(first)).containsExactly("root", "r0", "r1");
        assertThat(names(ask(ada, root, "?limit=3&from=" + first.text("next_batch"))))
                .containsExactly("r2", "r3");
    }

    @Test
    void aPageGoesOnWhereTheRoomIsGoneThatTheOneBeforeEndedWith() {
        String root = space("root");
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 4; i++) {
            rooms.add(room("r" + i));
            child(root, rooms.get(i), VIA + ",\"order\":\"r%d\"".formatted(i));
        }
        var first = ask(ada, root, "?limit=3");
        child(root, rooms.get(1), "");

        assertThat(names(ask(ada, root, "?limit=3&from=" + first.text("next_batch"))))
                .containsExactly("r3");
    }

    @Test
    void everyRoomComesOnceHoweverTheyNameEachOther() {
        String first = space("one");
        String second = space("two");
        String shared = room("three");
        child(first, second, VIA);
        child(second, first, VIA);
        child(second, second, VIA);
        child(first, shared, VIA);
        child(second, shared, VIA);

        assertThat(names(ask(ada, first, ""))).containsExactly("one", "two", "three");
        assertThat(names(ask(ada, second, "")))
                .containsExactlyInAnyOrder("one", "two", "three")
                .startsWith("two");
    }

    @Test
    void roomsThatAreNobodysBusinessAreLeftOut() {
        var bob = server.as("bob");
        String root = space("open");
        String club = ada.createRoom("{\"name\":\"club\",\"preset\":\"private_chat\"}");
        String hidden = ada.createRoom("{\"name\":\"hidden\",\"creation_content\":{\"type\":\"m.space\"}}");
        String invited = ada.createRoom("{\"name\":\"invited\",\"invite\":[\"@bob:example.org\"]}");
        String readable = ada.createRoom("{\"name\":\"readable\"}");
        ada.put(
                "/rooms/" + readable + "/state/m.room.history_visibility/",
                "{\"history_visibility\":\"world_readable\"}");
        String knocking = ada.createRoom("{\"name\":\"knocking\"}");
        ada.put("/rooms/" + knocking + "/state/m.room.join_rules/", "{\"join_rule\":\"knock\"}");
        String restricted = ada.createRoom("{\"name\":\"restricted\"}");
        ada.put(
                "/rooms/" + restricted + "/state/m.room.join_rules/",
                "{\"join_rule\":\"restricted\",\"allow\":[{\"type\":\"m.room_membership\",\"room_id\":\"%s\"}]}"
                        .formatted(club));
        for (String child : List.of(club, hidden, invited, readable, knocking, restricted)) {
            child(root, child, VIA);
        }
        child(hidden, room("beyond"), VIA);

        assertThat(names(ask(bob, root, ""))).containsExactly("open", "invited", "readable", "knocking");
        ada.post("/rooms/" + club + "/invite", "{\"user_id\":\"@bob:example.org\"}");
        assertThat(names(ask(bob, root, ""))).containsExactly("open", "club", "invited", "readable", "knocking");
        bob.post("/rooms/" + club + "/join", "{}");
        var seen = ask(bob, root, "");
        assertThat(names(seen)).containsExactly("open", "club", "invited", "readable", "knocking", "restricted");
        assertThat(seen.json().path("rooms").get(5).path("allowed_room_ids").toString())
                .isEqualTo("[\"" + club + "\"]");
        for (var refused : List.of(
                ask(bob, hidden, ""),
                ask(bob, "!nowhere:example.org", ""),
                ask(server.as("@bob:example.net"), root, ""))) {
            assertRefused(refused, 403, "M_FORBIDDEN");
        }
    }

    @Test
    void onlyTheSuggestedOnesAreToldIfThatIsAsked() {
        String root = space("root");
        String sub = space("sub");
        child(root, sub, VIA + ",\"suggested\":true");
        child(root, room("plain"), VIA);
        child(root, room("mistaken"), VIA + ",\"suggested\":\"true\"");
        child(sub, room("inner"), VIA + ",\"suggested\":true");

        var suggested = ask(ada, root, "?suggested_only=true");
        assertThat(names(suggested)).containsExactly("root", "sub", "inner");
        assertThat(suggested.json().path("rooms").get(0).path("children_state").size())
                .isEqualTo(1);
        assertThat(names(ask(ada, root, "?suggested_only=false"))).hasSize(5);
    }

    @Test
    void anEntrySaysWhatARoomIs() {
        String root = ada.createRoom("""
                {"preset":"public_chat","name":"all","topic":"of it","room_alias_name":"all",
                 "creation_content":{"type":"m.space"},"initial_state":[
                 {"type":"m.room.avatar","content":{"url":"mxc://example.org/a"}},
                 {"type":"m.room.encryption","content":{"algorithm":"m.megolm.v1.aes-sha2"}},
                 {"type":"m.room.guest_access","content":{"guest_access":"can_join"}}]}
                """);
        server.as("bob").post("/rooms/" + root + "/join", "{}");

        JsonNode entry = ask(ada, root, "").json().path("rooms").get(0);

        assertThat(entry.toString()).isEqualTo("""
                {"room_id":"%s","num_joined_members":2,"world_readable":false,"guest_can_join":true,"name":"all",\
                "topic":"of it","avatar_url":"mxc://example.org/a","canonical_alias":"#all:example.org",\
                "join_rule":"public","room_type":"m.space","encryption":"m.megolm.v1.aes-sha2","room_version":"11",\
                "children_state":[]}""".formatted(root));
    }

    @Test
    void pagesTogetherAreTheWholeAlsoWhileRoomsAreAdded() {
        String root = space("root");
        var all = new ArrayList<String>(List.of("root"));
        for (int i = 0; i < 120; i++) {
            child(root, room("r" + i), VIA + ",\"order\":\"%04d\"".formatted(10 + i));
            all.add("r" + i);
        }
        assertThat(names(ask(ada, root, ""))).isEqualTo(all.subList(0, 50));
        assertThat(names(ask(ada, root, "?limit=1000"))).hasSize(50);

        var read = new ArrayList<String>();
        String from = "";
        int pages = 0;
        do {
            var answer = ask(ada, root, "?limit=45" + from);
            read.addAll(names(answer));
            from = answer.json().has("next_batch") ? "&from=" + answer.text("next_batch") : "";
            child(root, room("early" + pages), VIA + ",\"order\":\"000%d\"".formatted(pages++));
        } while (!from.isEmpty());
        assertThat(read).isEqualTo(all);
    }

    @Test
    void tokensAreForTheQuestionTheyWereGivenTo() {
        String root = space("root");
        String other = space("other");
        child(root, room("a"), VIA);
        child(other, room("b"), VIA);
        String next = ask(ada, root, "?limit=1").text("next_batch");
        server.as("bob").post("/rooms/" + root + "/join", "{}");

        assertThat(names(ask(ada, root, "?limit=7&from=" + next))).containsExactly("a");
        for (var refused : List.of(
                ask(ada, root, "?max_depth=3&from=" + next),
                ask(ada, root, "?suggested_only=true&from=" + next),
                ask(ada, other, "?from=" + next),
                ask(server.as("bob"), root, "?from=" + next),
                ask(ada, root, "?from=nonsense"),
                ask(ada, root, "?limit=0"),
                ask(ada, root, "?limit=x"),
                ask(ada, root, "?max_depth=-1"),
                ask(ada, root, "?suggested_only=maybe"),
                ask(ada, "nonsense", ""))) {
            assertRefused(refused, 400, "M_INVALID_PARAM");
        }
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.errcode() + " " + answer.status()).isEqualTo(errcode + " " + status);
    }
}
