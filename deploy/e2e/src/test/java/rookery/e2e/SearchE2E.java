// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Search in messages, through the gateway. */
@OnOneJvm
class SearchE2E {
    private final Rookery rookery;
    private Http http;
    private Session ada;

    SearchE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
    }

    @AfterEach
    void close() {
        http.close();
    }

    private static JsonNode search(Session session, String next, Map<String, ?> criteria) throws IOException {
        var path = "/v3/search" + (next.isEmpty() ? "" : "?next_batch=" + next);
        return session.post(path, Map.of("search_categories", Map.of("room_events", criteria)))
                .path("search_categories")
                .path("room_events");
    }

    private static List<String> bodies(JsonNode results) {
        return results.path("results")
                .valueStream()
                .map(result ->
                        result.path("result").path("content").path("body").asString())
                .toList();
    }

    @Test
    void whatWasJustSaidIsFoundUnderBothPrefixes() throws IOException {
        var room = ada.createRoom(Map.of("preset", "public_chat", "name", "Heron watch"));
        ada.say(room, "before");
        ada.say(room, "A heron!");
        ada.say(room, "after");
        try (var matrix = Http.to(rookery.site().withPrefix(TenantAddress.MATRIX))) {
            for (var session : List.of(ada, ada.through(matrix))) {
                var results = search(
                        session,
                        "",
                        Map.of(
                                "search_term",
                                "heron",
                                "keys",
                                List.of("content.body"),
                                "include_state",
                                true,
                                "event_context",
                                Map.of("before_limit", 1, "after_limit", 1, "include_profile", true),
                                "groupings",
                                Map.of("group_by", List.of(Map.of("key", "sender")))));
                assertThat(bodies(results)).containsExactly("A heron!");
                assertThat(results.path("count").intValue()).isEqualTo(1);
                assertThat(results.path("highlights").toString()).isEqualTo("[\"heron\"]");
                var context = results.path("results").get(0).path("context");
                assertThat(context.path("events_before")
                                .get(0)
                                .path("content")
                                .path("body")
                                .asString())
                        .isEqualTo("before");
                assertThat(context.path("events_after")
                                .get(0)
                                .path("content")
                                .path("body")
                                .asString())
                        .isEqualTo("after");
                assertThat(context.path("profile_info").has(ada.userId())).isTrue();
                assertThat(results.path("state").path(room).size()).isPositive();
                assertThat(results.path("groups").path("sender").has(ada.userId()))
                        .isTrue();
                var start = context.path("start").asString();
                assertThat(ada.messages(room, "f", start, null, 1)
                                .path("chunk")
                                .get(0)
                                .path("content")
                                .path("body")
                                .asString())
                        .isEqualTo("before");
            }
        }
    }

    @Test
    void pagesGoThroughAllResultsOnce() throws IOException {
        var room = ada.createRoom(Map.of("preset", "private_chat"));
        for (int i = 0; i < 23; i++) {
            ada.say(room, "egret " + i);
        }
        for (var order : List.of("recent", "rank")) {
            var all = new ArrayList<String>();
            var next = "";
            do {
                var results = search(ada, next, Map.of("search_term", "egret", "order_by", order));
                all.addAll(bodies(results));
                next = results.path("next_batch").asString("");
            } while (!next.isEmpty());
            assertThat(all).hasSize(23).doesNotHaveDuplicates();
            if (order.equals("recent")) {
                assertThat(all.getFirst()).isEqualTo("egret 22");
            }
        }
    }

    @Test
    void nobodyFindsWhatTheyMayNotRead() throws IOException {
        var room = ada.createRoom(Map.of("preset", "private_chat"));
        ada.say(room, "bittern");
        var bob = People.newcomer(http, "bob");
        try (var otherHttp = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var eve = People.newcomer(otherHttp, "eve");
            for (var stranger : List.of(bob, eve)) {
                var results = search(stranger, "", Map.of("search_term", "bittern"));
                assertThat(results.path("count").intValue()).isZero();
                assertThat(results.path("results").size()).isZero();
            }
        }
        var all = search(ada, "", Map.of("search_term", "bittern", "filter", Map.of("limit", 1)));
        assertThat(bodies(all)).containsExactly("bittern");
    }

    @Test
    void termsThatAreNoneFindNothing() throws IOException {
        ada.createRoom(Map.of("preset", "private_chat"));
        for (var term : List.of("", "!?", "\u0000", "' | \\", "word ".repeat(100_000))) {
            assertThat(search(ada, "", Map.of("search_term", term))
                            .path("results")
                            .size())
                    .isZero();
        }
    }
}
