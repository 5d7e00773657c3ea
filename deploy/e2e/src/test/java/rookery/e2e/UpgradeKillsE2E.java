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
import rookery.e2e.running.Rookery;

/**
 * What is left to do when a room has been upgraded is done after the processes that should do it were killed (contract.md 8.4).
 */
@BreaksCluster("kills processes")
class UpgradeKillsE2E {
    private final Rookery rookery;
    private Http http;
    private Session ada;
    private Session bob;

    UpgradeKillsE2E(Rookery rookery) {
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

    @Test
    void whatIsLeftToDoIsDoneAfterAKill() throws IOException {
        var alias = "#" + People.name("kill") + ":localhost";
        var room = ada.createRoom(
                Map.of("preset", "public_chat", "room_alias_name", alias.substring(1, alias.indexOf(':'))));
        bob.join(room);
        bob.put(own("/rooms/" + Paths.encoded(room) + "/tags/u.kept"), Map.of());
        var auth = rookery.kill("auth-service-1");
        var directory = rookery.kill("directory-service-1");
        eventually(() -> ada.call("POST", Paths.room(room, "/upgrade"), Map.of("new_version", "11"))
                .isOk());
        var replacement = ada.post(Paths.room(room, "/upgrade"), Map.of("new_version", "11"))
                .path("replacement_room")
                .asString();
        eventually(() -> bob.call("POST", "/v3/join/" + Paths.encoded(replacement), Map.of())
                .isOk());
        for (String name : List.of("room-service-1", "room-service-2")) {
            var killed = rookery.kill(name);
            eventually(() -> rookery.runs(name, killed));
        }
        eventually(() -> rookery.runs("auth-service-1", auth) && rookery.runs("directory-service-1", directory));

        eventually(() -> ada.call("GET", "/v3/directory/room/" + Paths.encoded(alias), null)
                .text()
                .contains(replacement));
        eventually(() -> bob.call("GET", own("/rooms/" + Paths.encoded(replacement) + "/tags"), null)
                .text()
                .contains("u.kept"));
        assertThat(ada.get(Paths.room(room, "/state/m.room.tombstone"))
                        .path("replacement_room")
                        .asString())
                .isEqualTo(replacement);
    }

    private String own(String rest) {
        return "/v3/user/" + Paths.encoded(bob.userId()) + rest;
    }
}
