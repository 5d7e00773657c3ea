// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** Rooms and users that are found by people who do not know them, through the gateway (contract.md 6). */
@OnOneJvm
class DirectoryE2E {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String PUBLIC_ROOMS = "/v3/publicRooms";
    private static final String USERS = "/v3/user_directory/search";

    private final Rookery rookery;
    /** Part of all names that a test makes, so that a search finds only its own rooms and users. */
    private final String mark = People.name("mark");

    private Http http;
    private Session ada;
    private Session bob;

    DirectoryE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
    }

    @AfterEach
    void close() {
        http.close();
    }

    private static void eventually(Supplier<List<String>> actual, List<String> expected) {
        Deadline.in(PATIENCE).until(() -> actual.get().equals(expected));
        assertThat(actual.get()).isEqualTo(expected);
    }

    private String room(String visibility, Map<String, ?> more) throws IOException {
        var body = new HashMap<String, Object>(more);
        body.put("visibility", visibility);
        body.putIfAbsent("name", mark);
        return ada.createRoom(body);
    }

    private static String listing(String room) {
        return "/v3/directory/list/room/" + Paths.encoded(room);
    }

    private JsonNode page(Session reader, int limit, String since) {
        var body = new HashMap<String, Object>();
        body.put("filter", Map.of("generic_search_term", mark));
        body.put("limit", limit);
        if (!since.isEmpty()) {
            body.put("since", since);
        }
        try {
            return reader.post(PUBLIC_ROOMS, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> rooms(Session reader) {
        return page(reader, 50, "")
                .path("chunk")
                .valueStream()
                .map(room -> room.path("room_id").asString())
                .toList();
    }

    /** The rooms, each with the number of its members. */
    private List<String> sizes(Session reader) {
        return page(reader, 50, "")
                .path("chunk")
                .valueStream()
                .map(room -> room.path("room_id").asString() + " "
                        + room.path("num_joined_members").asInt())
                .toList();
    }

    private List<String> users(Session reader, String term) {
        try {
            return reader.post(USERS, Map.of("search_term", term))
                    .path("results")
                    .valueStream()
                    .map(user -> user.path("user_id").asString())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes these rooms and users from the directories; all other entries stay. */
    private void spoil(String room) {
        rookery.database("directory-service")
                .execute(
                        "UPDATE directory.room SET facts = '{}', search = '' WHERE room_id = '" + room + "'",
                        "DELETE FROM directory.member WHERE room_id = '" + room + "'",
                        "DELETE FROM directory.person WHERE user_id = '" + ada.userId() + "'");
    }

    @Test
    void directoriesAreDerivedAnewWhileMessagesFlow() throws IOException {
        var listed = room("public", Map.of("topic", "quiet"));
        bob.join(listed);
        var hidden = room("private", Map.of());
        eventually(() -> rooms(bob), List.of(listed));
        eventually(() -> users(bob, ada.userId()), List.of(ada.userId()));
        var before = page(bob, 50, "");
        spoil(listed);
        assertThat(rooms(bob)).isEmpty();
        assertThat(users(bob, ada.userId())).isEmpty();

        var talking = CompletableFuture.runAsync(() -> talk(hidden));
        var rebuilt = new Nodes(rookery).internal("directory-service", "/internal/admin/rebuild", Map.of());
        assertThat(rebuilt.status()).as(rebuilt.toString()).isEqualTo(200);
        assertThat(rebuilt.text().strip()).endsWith("\"done\":true}").contains("\"log\":\"users\"");
        talking.join();
        assertThat(page(bob, 50, "")).isEqualTo(before);
        assertThat(users(bob, ada.userId())).containsExactly(ada.userId());
        // following continues
        var next = room("public", Map.of());
        eventually(() -> rooms(bob), List.of(listed, next));
    }

    private void talk(String room) {
        try {
            for (int i = 0; i < 50; i++) {
                ada.say(room, "meanwhile");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void roomsThatAreMadePublicAreListedWithTheMostMembersFirst() throws IOException {
        var small = room("public", Map.of("topic", "quiet"));
        room("private", Map.of());
        var large = room("public", Map.of());
        bob.join(large);
        // waits until the directory has Bob's join, which determines the order
        eventually(() -> sizes(bob), List.of(large + " 2", small + " 1"));

        var first = page(bob, 1, "");
        assertThat(first.path("total_room_count_estimate").asInt()).isEqualTo(2);
        assertThat(first.has("prev_batch")).isFalse();
        var entry = first.path("chunk").path(0);
        assertThat(entry.path("num_joined_members").asInt()).isEqualTo(2);
        assertThat(entry.path("world_readable").asBoolean()).isFalse();
        assertThat(entry.path("join_rule").asString()).isEqualTo("public");
        var second = page(bob, 1, first.path("next_batch").asString());
        assertThat(second.path("chunk").path(0).path("topic").asString()).isEqualTo("quiet");
        assertThat(second.has("next_batch")).isFalse();
        assertThat(page(bob, 1, second.path("prev_batch").asString()).path("chunk"))
                .isEqualTo(first.path("chunk"));

        var everywhere = http.call("GET", PUBLIC_ROOMS + "?limit=500", null, null);
        assertThat(everywhere.status()).isEqualTo(200);
        assertThat(everywhere
                        .json()
                        .path("chunk")
                        .valueStream()
                        .map(room -> room.path("room_id").asString()))
                .contains(large, small);
        try (var others = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var stranger = People.newcomer(others, "stranger");
            assertThat(rooms(stranger)).isEmpty();
            assertThat(stranger.call("GET", listing(large), null).errcode()).isEqualTo("M_NOT_FOUND");
        }
    }

    @Test
    void whoMayNameARoomMayListIt() throws IOException {
        var room = room("private", Map.of("preset", "public_chat"));
        bob.join(room);
        assertThat(bob.get(listing(room)).path("visibility").asString()).isEqualTo("private");
        var unknown = http.call("GET", listing("!nothing:localhost"), null, null);
        assertThat(unknown.errcode()).isEqualTo("M_NOT_FOUND");
        assertThat(http.call("GET", listing(room), null, null).json()).isEqualTo(unknown.json());
        assertThat(bob.call("PUT", listing(room), Map.of()).errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(http.call("PUT", listing(room), null, Map.of()).errcode()).isEqualTo("M_MISSING_TOKEN");
        assertThat(ada.call("PUT", listing(room), Map.of("visibility", "secret"))
                        .errcode())
                .isEqualTo("M_INVALID_PARAM");

        ada.put(listing(room), Map.of());
        assertThat(rooms(bob)).containsExactly(room); // read back at once
        ada.put(listing(room), Map.of("visibility", "public"));
        assertThat(ada.get(listing(room)).path("visibility").asString()).isEqualTo("public");
        ada.put(listing(room), Map.of("visibility", "private"));
        assertThat(rooms(bob)).isEmpty();
        var root = Steps.administrator(rookery, http);
        assertThat(root.get(listing(room)).path("visibility").asString()).isEqualTo("private");
        root.put(listing(room), Map.of("visibility", "public"));
        assertThat(http.call("GET", listing(room), null, null)
                        .json()
                        .path("visibility")
                        .asString())
                .isEqualTo("public");
        assertThat(rooms(bob)).containsExactly(room);
        for (var method : List.of("GET", "PUT")) {
            assertThat(ada.call(method, listing("!nothing:localhost"), method.equals("GET") ? null : Map.of())
                            .errcode())
                    .isEqualTo("M_NOT_FOUND");
        }
    }

    @Test
    void listingMovesToTheRoomThatTakesThePlace() throws IOException {
        var old = room("public", Map.of());
        var successor = ada.post(Paths.room(old, "/upgrade"), Map.of("new_version", "11"))
                .path("replacement_room")
                .asString();
        eventually(() -> rooms(bob), List.of(successor));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, ?limit=0, 400 M_INVALID_PARAM",
        "GET, ?limit=x, 400 M_INVALID_PARAM",
        "GET, ?since=nonsense, 400 M_INVALID_PARAM",
        "GET, ?server=elsewhere.example, 404 M_NOT_FOUND",
        "POST, ?server=elsewhere.example, 404 M_NOT_FOUND",
        "POST, '', '200 '"
    })
    void badPagesAreRefused(String method, String query, String expected) throws IOException {
        var body = method.equals("POST") ? Map.<String, Object>of("limit", 1) : null;
        var answer = ada.call(method, PUBLIC_ROOMS + query, body);
        assertThat(text(answer)).isEqualTo(expected);
    }

    private static String text(Answer answer) {
        return answer.status() + " " + (answer.isOk() ? "" : answer.errcode());
    }

    @Test
    void badFiltersAreRefused() throws IOException {
        var filters = new ArrayList<Map<String, ?>>();
        filters.add(Map.of("filter", Map.of("room_types", List.of(7))));
        filters.add(Map.of("filter", Map.of("room_types", "m.space")));
        filters.add(Map.of("filter", List.of()));
        filters.add(Map.of("filter", Map.of("generic_search_term", 7)));
        filters.add(Map.of("limit", "many"));
        for (var filter : filters) {
            assertThat(text(ada.call("POST", PUBLIC_ROOMS, filter)))
                    .as("%s", filter)
                    .isEqualTo("400 M_BAD_JSON");
        }
        assertThat(text(http.call("POST", PUBLIC_ROOMS, null, Map.of()))).isEqualTo("401 M_MISSING_TOKEN");
    }

    @Test
    void usersAreFoundUntilTheyAreGone() throws Exception {
        var cleo = Session.register(http, mark);
        eventually(() -> users(ada, mark), List.of(cleo.userId()));
        assertThat(users(cleo, mark)).isEmpty();
        cleo.put(
                "/v3/profile/" + Paths.encoded(cleo.userId()) + "/displayname",
                Map.of("displayname", "Queen " + mark + "a"));
        eventually(() -> users(ada, "queen " + mark + "A"), List.of(cleo.userId()));
        try (var others = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            assertThat(users(People.newcomer(others, "stranger"), mark)).isEmpty();
        }
        Steps.withPassword(cleo, "POST", "/v3/account/deactivate", Map.of()).ok();
        eventually(() -> users(ada, mark), List.of());
    }

    @Test
    void badSearchesAreRefused() throws IOException {
        assertThat(text(ada.call("POST", USERS, Map.of()))).isEqualTo("400 M_MISSING_PARAM");
        assertThat(text(ada.call("POST", USERS, Map.of("search_term", 7)))).isEqualTo("400 M_BAD_JSON");
        assertThat(text(ada.call("POST", USERS, Map.of("search_term", "x".repeat(257)))))
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(text(ada.call("POST", USERS, Map.of("search_term", "x", "limit", 0))))
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(text(ada.call("POST", USERS, Map.of("search_term", "\u0000%_\\"))))
                .isEqualTo("200 ");
        assertThat(text(http.call("POST", USERS, null, Map.of("search_term", "x"))))
                .isEqualTo("401 M_MISSING_TOKEN");
    }
}
