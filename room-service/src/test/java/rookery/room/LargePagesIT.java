// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Client;

/** Pages of large events end by their bytes, and together contain each event once (contract.md 2.8, 11). */
class LargePagesIT {
    private static final int MESSAGES = 40;

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Talk talk;
    private static Client ada;
    private static String room;
    private static List<String> sent;

    @BeforeAll
    static void fill() {
        talk = new Talk(server);
        ada = server.as("ada");
        room = talk.room("bob");
        sent = new ArrayList<>();
        // two senders alternate, so that a filter leaves out every other event
        for (int i = 0; i < MESSAGES / 2; i++) {
            sent.addAll(LargeEvents.say(ada, room, "narwhal", 1));
            sent.addAll(LargeEvents.say(server.as("bob"), room, "narwhal", 1));
        }
    }

    private static String from(@Nullable String token) {
        return token == null ? "" : "&from=" + token;
    }

    private static List<String> history(String query) {
        return LargeEvents.walked(
                token -> ada.get("/rooms/" + room + "/messages?limit=100" + query + from(token)), "end");
    }

    private static String filter(String json) {
        return "&filter=" + URLEncoder.encode(json, UTF_8);
    }

    @Test
    void historyIsWholeInBothDirections() {
        String messages = filter("{\"types\":[\"m.room.message\"]}");
        assertThat(history("&dir=f" + messages)).isEqualTo(sent);
        assertThat(history("&dir=b" + messages)).isEqualTo(sent.reversed());
        assertThat(history("&dir=f")).containsSubsequence(sent).doesNotHaveDuplicates();
        assertThat(history("&dir=b")).isEqualTo(history("&dir=f").reversed());
    }

    @Test
    void whatAFilterLeavesOutMakesNoHole() {
        String bobs = filter("{\"types\":[\"m.room.message\"],\"senders\":[\"@bob:example.org\"]}");
        var his = new ArrayList<String>();
        for (int i = 1; i < MESSAGES; i += 2) {
            his.add(sent.get(i));
        }
        assertThat(history("&dir=f" + bobs)).isEqualTo(his);
        assertThat(history("&dir=b" + bobs)).isEqualTo(his.reversed());
    }

    @Test
    void membersOfAPageCountAsWell() {
        String crowded = talk.room();
        var messages = new ArrayList<String>();
        for (int i = 0; i < 20; i++) {
            var client = server.as("large" + i);
            assertThat(client.post("/rooms/" + crowded + "/join", LargeEvents.content("join", ""))
                            .status())
                    .isEqualTo(200);
            messages.add(Talk.say(client, crowded, "hello"));
        }
        String lazy = filter("{\"types\":[\"m.room.message\"],\"lazy_load_members\":true}");
        assertThat(LargeEvents.walked(
                        token -> ada.get("/rooms/" + crowded + "/messages?dir=b&limit=100" + lazy + from(token)),
                        "end"))
                .isEqualTo(messages.reversed());
    }

    @Test
    void whatIsBundledCountsAsWell() {
        String threads = talk.room();
        var roots = new ArrayList<String>();
        for (int i = 0; i < 12; i++) {
            roots.add(Talk.say(ada, threads, "root"));
            LargeEvents.relate(ada, threads, "m.thread", roots.getLast());
            LargeEvents.relate(ada, threads, "m.replace", roots.getLast());
        }
        assertThat(LargeEvents.walked(token -> Talk.threads(ada, threads, "?limit=100" + from(token)), "next_batch"))
                .isEqualTo(roots.reversed());
        assertThat(LargeEvents.walked(
                        token -> ada.get("/rooms/" + threads + "/messages?dir=f&limit=100" + from(token)), "end"))
                .containsSubsequence(roots)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(3 * roots.size());
        var first = Talk.bundle(ada, threads, roots.getFirst());
        assertThat(first.path("m.thread").path("count").intValue()).isEqualTo(1);
        assertThat(first.path("m.replace").path("event_id").asString()).isNotEmpty();
    }

    @Test
    void howAMemberCameAndWentIsNotReadWithAllTheirProfiles() {
        String open = talk.room("bob");
        for (int i = 0; i < 20; i++) {
            ada.put(
                    "/rooms/" + open + "/state/m.room.history_visibility/",
                    LargeEvents.content(
                            "v" + i, ",\"history_visibility\":\"" + (i % 2 == 0 ? "joined" : "shared") + "\""));
        }
        String message = Talk.say(ada, open, "hello");
        assertThat(Talk.ids(server.as("bob")
                        .get("/rooms/" + open + "/messages?dir=b&limit=1")
                        .json()
                        .path("chunk")))
                .containsExactly(message);
    }

    @Test
    void relationsAreWholeInBothDirections() {
        String parents = talk.room();
        String parent = Talk.say(ada, parents, "parent");
        for (int i = 0; i < 25; i++) {
            LargeEvents.relate(ada, parents, "m.reference", parent);
        }
        for (String rest : List.of("", "&recurse=true")) {
            var oldestFirst = LargeEvents.walked(
                    token -> Talk.relations(ada, parents, parent + "?limit=100&dir=f" + rest + from(token)),
                    "next_batch");
            assertThat(oldestFirst).hasSize(25).doesNotHaveDuplicates();
            assertThat(LargeEvents.walked(
                            token -> Talk.relations(ada, parents, parent + "?limit=100" + rest + from(token)),
                            "next_batch"))
                    .isEqualTo(oldestFirst.reversed());
        }
        // a bundle names only the ids of references
        assertThat(Talk.bundle(ada, parents, parent).path("m.reference").path("chunk"))
                .hasSize(25);
    }

    @Test
    void contextEndsByBytesOnBothSidesAndPagesLeadOn() {
        int middle = MESSAGES / 2;
        var answer = LargeEvents.page(ada.get("/rooms/" + room + "/context/" + sent.get(middle) + "?limit=100"));
        var before = Talk.ids(answer.json().path("events_before"));
        var after = Talk.ids(answer.json().path("events_after"));
        assertThat(before)
                .isNotEmpty()
                .isEqualTo(sent.subList(middle - before.size(), middle).reversed());
        assertThat(after).isNotEmpty().isEqualTo(sent.subList(middle + 1, middle + 1 + after.size()));
        assertThat(Math.abs(before.size() - after.size())).isLessThanOrEqualTo(1);
        assertThat(answer.json().path("state")).isNotEmpty();
        String older = ada.get("/rooms/" + room + "/messages?dir=b&limit=1&from=" + answer.text("start"))
                .json()
                .path("chunk")
                .path(0)
                .path("event_id")
                .asString();
        String newer = ada.get("/rooms/" + room + "/messages?dir=f&limit=1&from=" + answer.text("end"))
                .json()
                .path("chunk")
                .path(0)
                .path("event_id")
                .asString();
        assertThat(older).isEqualTo(sent.get(middle - before.size() - 1));
        assertThat(newer).isEqualTo(sent.get(middle + after.size() + 1));
    }
}
