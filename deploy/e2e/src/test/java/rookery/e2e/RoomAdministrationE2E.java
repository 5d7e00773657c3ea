// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** The lists of administrators, and what they do in rooms, through the gateway (contract.md 5.2, 5.3). */
@OnOneJvm
class RoomAdministrationE2E {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String ROOMS = "/v3/admin/rooms";
    private static final String USERS = "/v3/admin/users";

    private final Rookery rookery;
    private final String mark = People.name("listed");
    private Http http;
    private Session root;
    private Session ada;
    private Session bob;

    RoomAdministrationE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        root = Steps.administrator(rookery, http);
        ada = Session.register(http, mark + "-ada");
        bob = Session.register(http, mark + "-bob");
    }

    @AfterEach
    void close() {
        http.close();
    }

    private static String text(Answer answer) {
        return answer.status() + " " + (answer.isOk() ? "" : answer.errcode());
    }

    private String expel(String room, String how, Map<String, ?> body) throws IOException {
        return text(root.call("POST", ROOMS + "/" + Paths.encoded(room) + "/" + how, body));
    }

    private static List<String> ids(JsonNode page, String field, String id) {
        return page.path(field)
                .valueStream()
                .map(one -> one.path(id).asString())
                .toList();
    }

    private List<String> rooms(String query) {
        try {
            return ids(root.get(ROOMS + query), "rooms", "room_id");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void eventually(Supplier<List<String>> actual, List<String> expected) {
        Deadline.in(PATIENCE).until(() -> actual.get().equals(expected));
        assertThat(actual.get()).isEqualTo(expected);
    }

    private String newest(String room) throws IOException {
        return ada.messages(room, "b", null, null, 1)
                .path("chunk")
                .path(0)
                .path("event_id")
                .asString();
    }

    @Test
    void gateIsClosedBeforeAnythingIsLookedUp() throws IOException {
        for (String path : List.of(
                "GET " + ROOMS,
                "GET " + USERS,
                "GET " + ROOMS + "/nonsense",
                "GET " + USERS + "/nonsense",
                "POST " + ROOMS + "/nonsense/kick",
                "POST " + ROOMS + "/nonsense/ban")) {
            var words = path.split(" ", 2);
            assertThat(ada.call(words[0], words[1], null).errcode()).as(path).isEqualTo("M_FORBIDDEN");
            assertThat(http.call(words[0], words[1], null, null).errcode())
                    .as(path)
                    .isEqualTo("M_MISSING_TOKEN");
        }
    }

    @Test
    void administratorExpelsOnTheServersAuthority() throws IOException {
        var room = People.roomOf(ada, bob);
        var bobs = Map.of("user_id", bob.userId(), "reason", "spam");
        assertThat(expel(room, "kick", Map.of())).isEqualTo("400 M_MISSING_PARAM");
        assertThat(expel(room, "kick", Map.of("user_id", "@nobody:localhost"))).isEqualTo("404 M_NOT_FOUND");
        assertThat(expel(room, "kick", Map.of("user_id", "@ada:elsewhere.example")))
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(expel("!nothing:localhost", "kick", bobs)).isEqualTo("404 M_NOT_FOUND");
        assertThat(expel("!nothing:elsewhere.example", "ban", bobs)).isEqualTo("400 M_INVALID_PARAM");

        assertThat(expel(room, "kick", bobs)).isEqualTo("200 ");
        var member = ada.get(Paths.room(room, "/state/m.room.member/" + Paths.encoded(bob.userId()) + "?format=event"));
        assertThat(member.path("sender").asString()).isEqualTo(root.userId());
        assertThat(member.path("content").toString()).isEqualTo("{\"membership\":\"leave\",\"reason\":\"spam\"}");
        assertThat(expel(room, "kick", bobs)).isEqualTo("403 M_FORBIDDEN");

        assertThat(expel(room, "ban", bobs)).isEqualTo("200 ");
        var banned = newest(room);
        assertThat(expel(room, "ban", bobs)).isEqualTo("200 ");
        assertThat(newest(room)).isEqualTo(banned);
        ada.call("POST", Paths.room(room, "/invite"), Map.of("user_id", bob.userId()));
        assertThat(text(bob.call("POST", Paths.room(room, "/join"), Map.of()))).isEqualTo("403 M_FORBIDDEN");
        // and the one with all the power
        assertThat(expel(room, "kick", Map.of("user_id", ada.userId()))).isEqualTo("200 ");
        assertThat(ada.get("/v3/joined_rooms").path("joined_rooms").size()).isZero();
    }

    @Test
    void roomsAreListedWithWhatTheyAre() throws IOException {
        var open = ada.createRoom(Map.of("visibility", "public", "name", mark + " open", "topic", "Tea"));
        var closed = ada.createRoom(Map.of("name", mark + " closed"));
        bob.join(open);
        root.post(ROOMS + "/" + Paths.encoded(open) + "/ban", Map.of("user_id", bob.userId()));
        var both = new ArrayList<>(List.of(open, closed));
        both.sort(null);
        eventually(() -> rooms("?search=" + mark), both);
        eventually(() -> rooms("?search=" + mark + "&published=true"), List.of(open));
        assertThat(rooms("?search=" + mark + "&published=false")).containsExactly(closed);
        assertThat(rooms("?search=%25")).isEmpty();

        var first = root.get(ROOMS + "?limit=1&search=" + mark);
        assertThat(first.path("total").asInt()).isEqualTo(2);
        assertThat(ids(first, "rooms", "room_id")).containsExactly(both.getFirst());
        var second = root.get(ROOMS + "?limit=1&search=" + mark + "&from="
                + Paths.encoded(first.path("next_batch").asString()));
        assertThat(ids(second, "rooms", "room_id")).containsExactly(both.getLast());
        assertThat(second.has("next_batch")).isFalse();
        assertThat(rooms("")).contains(open, closed);

        var shown = root.get(ROOMS + "/" + Paths.encoded(open));
        assertThat(shown.path("topic").asString()).isEqualTo("Tea");
        assertThat(shown.path("canonical_alias").isNull()).isTrue();
        assertThat(shown.path("creator").asString()).isEqualTo(ada.userId());
        assertThat(shown.path("room_version").asString()).isEqualTo("11");
        assertThat(shown.path("published").asBoolean()).isTrue();
        assertThat(shown.path("encrypted").asBoolean()).isFalse();
        assertThat(shown.path("joined_members").asInt()).isEqualTo(1);
        assertThat(shown.path("banned_members").asInt()).isEqualTo(1);
        assertThat(shown.path("last_event_ts").asLong())
                .isGreaterThanOrEqualTo(shown.path("created_at").asLong());
        var summary = shown.path("state_summary");
        assertThat(summary.path("join_rule").asString()).isEqualTo("public");
        assertThat(summary.path("types").path("m.room.member").asInt()).isEqualTo(2);
        assertThat(summary.path("types").valueStream().mapToInt(JsonNode::asInt).sum())
                .isEqualTo(shown.path("state_events").asInt());
        assertThat(text(root.call("GET", ROOMS + "/!nothing:localhost", null))).isEqualTo("404 M_NOT_FOUND");
        for (String bad :
                List.of("?limit=0", "?limit=1001", "?limit=x", "?published=1", "?search=" + "x".repeat(257))) {
            assertThat(text(root.call("GET", ROOMS + bad, null))).as(bad).isEqualTo("400 M_INVALID_PARAM");
        }
    }

    @Test
    void usersAreListedWithWhatTheyAre() throws IOException {
        ada.put(
                "/v3/profile/" + Paths.encoded(ada.userId()) + "/displayname",
                Map.of("displayname", "Ünnamed " + mark));
        assertThat(ids(root.get(USERS + "?search=" + mark), "users", "user_id"))
                .containsExactly(ada.userId(), bob.userId());
        assertThat(ids(root.get(USERS + "?search=" + Paths.encoded("Ünnamed " + mark)), "users", "user_id"))
                .containsExactly(ada.userId());
        assertThat(ids(root.get(USERS + "?search=%25" + mark), "users", "user_id"))
                .isEmpty();
        root.post(USERS + "/" + Paths.encoded(bob.userId()) + "/block", Map.of());
        assertThat(ids(root.get(USERS + "?blocked=true&search=" + mark), "users", "user_id"))
                .containsExactly(bob.userId());
        assertThat(ids(root.get(USERS + "?admin=true"), "users", "user_id"))
                .contains(root.userId())
                .doesNotContain(ada.userId());
        root.post(USERS + "/" + Paths.encoded(bob.userId()) + "/deactivate", Map.of());
        var gone = root.get(USERS + "?deactivated=true&search=" + mark)
                .path("users")
                .path(0);
        assertThat(gone.path("user_id").asString()).isEqualTo(bob.userId());
        assertThat(gone.path("device_count").asInt()).isZero();

        var page = root.get(USERS + "?limit=1&search=" + mark);
        assertThat(page.path("total").asInt()).isEqualTo(2);
        assertThat(root.get(USERS + "?limit=5&search=" + mark + "&from="
                                + Paths.encoded(page.path("next_batch").asString()))
                        .path("users"))
                .hasSize(1);
        var shown = root.get(USERS + "/" + Paths.encoded(ada.userId()));
        assertThat(shown.propertyNames())
                .containsExactlyInAnyOrder(
                        "user_id",
                        "display_name",
                        "avatar_url",
                        "admin",
                        "deactivated",
                        "blocked",
                        "suspended",
                        "approved",
                        "created_at",
                        "last_seen_ts",
                        "device_count");
        assertThat(shown.path("display_name").asString()).isEqualTo("Ünnamed " + mark);
        assertThat(shown.path("device_count").asInt()).isEqualTo(1);
        assertThat(text(root.call("GET", USERS + "/@nobody:localhost", null))).isEqualTo("404 M_NOT_FOUND");
        try (var others = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var stranger = Steps.administrator(rookery, others, 2);
            assertThat(ids(stranger.get(USERS + "?search=" + mark), "users", "user_id"))
                    .isEmpty();
        }
    }
}
