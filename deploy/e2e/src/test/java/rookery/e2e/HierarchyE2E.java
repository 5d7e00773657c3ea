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
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Looking into a space, through the gateway. */
@OnOneJvm
class HierarchyE2E {
    private final Rookery rookery;
    private Http http;
    private Session ada;
    private Session bob;

    HierarchyE2E(Rookery rookery) {
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

    private String space(String name) throws IOException {
        return ada.createRoom(
                Map.of("preset", "public_chat", "name", name, "creation_content", Map.of("type", "m.space")));
    }

    private void child(String space, String room, Map<String, ?> content) throws IOException {
        ada.put(Paths.room(space, "/state/m.space.child/" + Paths.encoded(room)), content);
    }

    private static String path(String space, String query) {
        return "/v1/rooms/" + Paths.encoded(space) + "/hierarchy" + query;
    }

    private static List<String> names(JsonNode answer) {
        return answer.path("rooms")
                .valueStream()
                .map(room -> room.path("name").asString(""))
                .toList();
    }

    @Test
    void whoeverMayLookSeesTheRoomsTheyMayKnowOf() throws IOException {
        var root = space("root");
        var sub = space("sub");
        var open = ada.createRoom(Map.of("preset", "public_chat", "name", "open"));
        var closed = ada.createRoom(Map.of("preset", "private_chat", "name", "closed"));
        var via = List.of("localhost");
        child(root, sub, Map.of("via", via, "order", "a", "suggested", true));
        child(root, closed, Map.of("via", via, "order", "b"));
        child(sub, open, Map.of("via", via));
        child(sub, root, Map.of("via", via));

        try (var matrix = Http.to(rookery.site().withPrefix(TenantAddress.MATRIX))) {
            for (var reader : List.of(bob, bob.through(matrix))) {
                assertThat(names(reader.get(path(root, "")))).containsExactly("root", "sub", "open");
                assertThat(names(reader.get(path(root, "?max_depth=1")))).containsExactly("root", "sub");
                assertThat(names(reader.get(path(root, "?suggested_only=true"))))
                        .containsExactly("root", "sub");
            }
        }
        assertThat(names(ada.get(path(root, "")))).containsExactly("root", "sub", "open", "closed");
        var first = ada.get(path(root, "")).path("rooms").get(0);
        assertThat(first.path("room_id").asString()).isEqualTo(root);
        assertThat(first.path("room_type").asString()).isEqualTo("m.space");
        assertThat(first.path("num_joined_members").intValue()).isEqualTo(1);
        assertThat(first.path("children_state").size()).isEqualTo(2);
        assertThat(bob.call("GET", path(closed, ""), null).errcode()).isEqualTo("M_FORBIDDEN");
        try (var otherHttp = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            assertThat(People.newcomer(otherHttp, "eve")
                            .call("GET", path(root, ""), null)
                            .errcode())
                    .isEqualTo("M_FORBIDDEN");
        }
    }

    @Test
    void pagesAreReadWithTheTokensOfTheirQuestion() throws IOException {
        var root = space("root");
        var all = new ArrayList<>(List.of("root"));
        for (int i = 0; i < 7; i++) {
            var room = ada.createRoom(Map.of("preset", "public_chat", "name", "room " + i));
            child(root, room, Map.of("via", List.of("localhost"), "order", "" + i));
            all.add("room " + i);
        }
        var read = new ArrayList<String>();
        var from = "";
        var token = "";
        do {
            var page = bob.get(path(root, "?limit=3" + from));
            read.addAll(names(page));
            token = page.path("next_batch").asString(token);
            from = page.has("next_batch") ? "&from=" + token : "";
        } while (!from.isEmpty());
        assertThat(read).isEqualTo(all);
        for (var query : List.of("?max_depth=1&from=", "?suggested_only=true&from=")) {
            assertThat(bob.call("GET", path(root, query + token), null).errcode())
                    .isEqualTo("M_INVALID_PARAM");
        }
        assertThat(ada.call("GET", path(root, "?from=" + token), null).errcode())
                .isEqualTo("M_INVALID_PARAM");
    }
}
