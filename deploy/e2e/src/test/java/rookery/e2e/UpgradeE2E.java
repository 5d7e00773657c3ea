// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.e2e.Eventually.eventually;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;

/** A room gives its place to a new one, through the gateway and all services that have to do with it (contract.md 8.4). */
@OnOneJvm
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradeE2E {
    private final Rookery rookery;
    private Http http;
    private Session ada;
    private Session bob;

    UpgradeE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeAll
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
    }

    @AfterAll
    void close() {
        http.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ada | {"new_version":"11"}                              | 200 |
            ada | {"new_version":"11","additional_creators":["x"]}  | 200 |
            ada | {"new_version":"10"}                              | 200 |
            ada | {"new_version":"12","additional_creators":[]}     | 200 |
            ada | {"new_version":"12","additional_creators":["x"]}  | 400 | M_INVALID_PARAM
            ada | {"new_version":"13"}                              | 400 | M_UNSUPPORTED_ROOM_VERSION
            ada | {}                                                | 400 | M_MISSING_PARAM
            ada | {"new_version":11}                                | 400 | M_BAD_JSON
            ada | {"new_version":"11","additional_creators":7}      | 400 | M_BAD_JSON
            bob | {"new_version":"11"}                              | 403 | M_FORBIDDEN
            """)
    void upgradeIsAnsweredAsTheContractSays(String who, String body, int status, String errcode) throws IOException {
        var room = ada.createRoom(Map.of("preset", "public_chat"));
        bob.join(room);
        var token = who.equals("ada") ? ada.token() : bob.token();
        var answer = http.raw("POST", Paths.room(room, "/upgrade"), Map.of("Authorization", "Bearer " + token), body);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        if (status == 200) {
            assertThat(answer.json().propertyNames()).containsExactly("replacement_room");
        } else {
            assertThat(answer.errcode()).isEqualTo(errcode);
            assertThat(ada.call("GET", Paths.room(room, "/state/m.room.tombstone"), null)
                            .status())
                    .isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "12"})
    void membersFollowWithAliasTagsRulesAndDirectChats(String version) throws IOException {
        var alias = "#" + People.name("tea") + ":localhost";
        var second = "#" + People.name("tea") + ":localhost";
        var room = ada.createRoom(Map.of(
                "preset", "public_chat", "name", "Tea", "room_alias_name", alias.substring(1, alias.indexOf(':'))));
        bob.join(room);
        ada.put("/v3/directory/room/" + Paths.encoded(second), Map.of("room_id", room));
        bob.put(own("/rooms/" + Paths.encoded(room) + "/tags/m.favourite"), Map.of("order", 0.5));
        bob.put(own("/account_data/m.direct"), Map.of(ada.userId(), List.of(room)));
        var since = bob.sync(SyncQuery.initial()).path("next_batch").asString();

        var replacement = ada.post(Paths.room(room, "/upgrade"), Map.of("new_version", version))
                .path("replacement_room")
                .asString();

        var news = bob.syncUntil(since, sync -> !Session.timeline(sync, room).isEmpty());
        assertThat(Session.timeline(news, room).stream()
                        .map(event -> event.path("type").asString()))
                .containsExactly("m.room.tombstone", "m.room.canonical_alias", "m.room.power_levels");
        assertThat(ada.sync(SyncQuery.initial()).path("rooms").path("join").has(replacement))
                .isTrue();
        bob.join(replacement);
        for (String name : List.of(alias, second)) {
            eventually(() -> ada.get("/v3/directory/room/" + Paths.encoded(name))
                    .path("room_id")
                    .asString()
                    .equals(replacement));
        }
        eventually(() -> bob.get(own("/rooms/" + Paths.encoded(replacement) + "/tags"))
                        .path("tags")
                        .path("m.favourite")
                        .path("order")
                        .asDouble(0)
                == 0.5);
        eventually(() -> bob.get(own("/account_data/m.direct"))
                .path(ada.userId())
                .valueStream()
                .anyMatch(id -> id.asString().equals(replacement)));
        assertThat(bob.call("PUT", Paths.room(room, "/send/m.room.message/late"), Map.of("body", "x"))
                        .errcode())
                .isEqualTo("M_FORBIDDEN");
    }

    private String own(String rest) {
        return "/v3/user/" + Paths.encoded(bob.userId()) + rest;
    }
}
