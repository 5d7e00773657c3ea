// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.e2e.Eventually.eventually;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** A room whose id has no server name, for every service that takes room ids, and for another tenant (contract.md 9.3). */
@OnOneJvm
class RoomVersion12E2E {
    private final Rookery rookery;
    private Http http;
    private Session ada;
    private Session bob;
    private String room;

    RoomVersion12E2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void meet() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
        room = ada.createRoom(
                Map.of("room_version", "12", "preset", "public_chat", "visibility", "public", "name", ada.userId()));
        bob.join(room);
    }

    @AfterEach
    void close() {
        http.close();
    }

    private static String own(Session user, String rest) {
        return "/v3/user/" + Paths.encoded(user.userId()) + rest;
    }

    private JsonNode joined(JsonNode sync) {
        return sync.path("rooms").path("join").path(room);
    }

    @Test
    void everyServiceTakesAnIdWithoutAServerName() throws IOException {
        assertThat(room).matches("![A-Za-z0-9_-]{43}");
        var since = bob.sync(SyncQuery.initial().filtered("{\"room\":{\"rooms\":[\"" + room + "\"]}}"))
                .path("next_batch")
                .asString();
        var said = ada.say(room, "hello");
        ada.put(Paths.room(room, "/typing/" + Paths.encoded(ada.userId())), Map.of("typing", true, "timeout", 30_000));
        var news = bob.syncUntil(since, sync -> !Session.timeline(sync, room).isEmpty());
        assertThat(joined(news)
                        .path("unread_notifications")
                        .path("notification_count")
                        .asInt())
                .isEqualTo(1);
        bob.syncUntil(
                since,
                sync -> joined(sync)
                        .path("ephemeral")
                        .path("events")
                        .valueStream()
                        .anyMatch(event -> event.path("content")
                                .path("user_ids")
                                .path(0)
                                .asString("")
                                .equals(ada.userId())));

        bob.post(Paths.room(room, "/receipt/m.read/" + Paths.encoded(said)), Map.of());
        eventually(() -> joined(bob.sync(SyncQuery.initial()))
                        .path("unread_notifications")
                        .path("notification_count")
                        .asInt()
                == 0);
        bob.put("/v3/pushrules/global/room/" + Paths.encoded(room), Map.of("actions", List.of("dont_notify")));
        bob.put(own(bob, "/rooms/" + Paths.encoded(room) + "/tags/m.favourite"), Map.of());
        bob.post(Paths.room(room, "/report/" + Paths.encoded(said)), Map.of("reason", "loud"));
        assertThat(bob.messages(room, "b", null, null, 1)
                        .path("chunk")
                        .path(0)
                        .path("room_id")
                        .asString())
                .isEqualTo(room);

        var alias = "#" + People.name("hash") + ":localhost";
        ada.put("/v3/directory/room/" + Paths.encoded(alias), Map.of("room_id", room));
        assertThat(bob.get("/v3/directory/room/" + Paths.encoded(alias))
                        .path("room_id")
                        .asString())
                .isEqualTo(room);
        eventually(() -> bob.post("/v3/publicRooms", Map.of("filter", Map.of("generic_search_term", ada.userId())))
                .path("chunk")
                .path(0)
                .path("room_id")
                .asString("")
                .equals(room));
        assertThat(bob.get("/v1/room_summary/" + Paths.encoded(room))
                        .path("room_id")
                        .asString())
                .isEqualTo(room);
    }

    @Test
    void administratorsOfTheTenantManageTheRoomAndOthersDoNotFindIt() throws IOException {
        var root = Steps.administrator(rookery, http);
        String path = "/v3/admin/rooms/" + Paths.encoded(room);
        try (var otherHttp = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var stranger = People.newcomer(otherHttp, "stranger");
            assertThat(stranger.call("POST", "/v3/join/" + Paths.encoded(room), Map.of())
                            .errcode())
                    .isEqualTo("M_NOT_FOUND");
            assertThat(stranger.call("GET", Paths.room(room, "/messages?dir=b"), null)
                            .errcode())
                    .isEqualTo("M_FORBIDDEN");
            var alias = "#" + People.name("stolen")
                    + stranger.userId().substring(stranger.userId().indexOf(':'));
            assertThat(stranger.call("PUT", "/v3/directory/room/" + Paths.encoded(alias), Map.of("room_id", room))
                            .isOk())
                    .isFalse();
        }
        assertThat(root.get(path).path("room_version").asString()).isEqualTo("12");
        root.post(path + "/kick", Map.of("user_id", ada.userId()));
        assertThat(ada.get("/v3/joined_rooms").path("joined_rooms").size()).isZero();
        root.post(path + "/purge", Map.of());
        assertThat(bob.call("POST", "/v3/join/" + Paths.encoded(room), Map.of()).errcode())
                .isEqualTo("M_NOT_FOUND");
    }
}
