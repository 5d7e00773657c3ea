// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;

/** State read and written in several portions is complete, ordered and without duplicates (contract.md 8.1). */
class LargeStatesIT {
    private static final int MEMBERS = 105;

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Client ada;
    private static String room;
    private static List<String> everybody;

    @BeforeAll
    static void fill() {
        ada = server.as("ada");
        room = ada.createRoom("{\"preset\":\"public_chat\"}");
        everybody = new ArrayList<>(List.of("@ada:example.org"));
        IntStream.range(0, MEMBERS).forEach(i -> {
            String user = "crowd" + i;
            assertThat(server.as(user).post("/rooms/" + room + "/join", "{}").status())
                    .isEqualTo(200);
            everybody.add("@" + user + ":example.org");
        });
    }

    @Test
    void membersComeInTheOrderOfTheirJoins() {
        var answer = ada.get("/rooms/" + room + "/members");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(keys(answer.json().path("chunk"))).isEqualTo(everybody);
    }

    @Test
    void joinedMembersAreAllThere() {
        var joined = ada.get("/rooms/" + room + "/joined_members").json().path("joined");
        assertThat(joined.propertyNames()).containsExactlyElementsOf(everybody);
        assertThat(joined.path("@ada:example.org").isObject()).isTrue();
    }

    @Test
    void membersOfAMembershipThatNobodyHasAreNone() {
        var answer = ada.get("/rooms/" + room + "/members?membership=knock");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("chunk").isArray()).isTrue();
        assertThat(answer.json().path("chunk")).isEmpty();
    }

    @Test
    void theWholeStateIsOneList() {
        var state = ada.get("/rooms/" + room + "/state").json();
        var members = new ArrayList<JsonNode>();
        state.forEach(event -> {
            if (event.path("type").asString("").equals("m.room.member")) {
                members.add(event);
            }
        });
        assertThat(members)
                .extracting(member -> member.path("state_key").asString(""))
                .isEqualTo(everybody);
        assertThat(state.size()).isGreaterThan(everybody.size());
    }

    @Test
    void whoMayNotReadHasAnErrorAndNotHalfAnAnswer() {
        for (var path : List.of("/members", "/joined_members", "/state")) {
            var answer = server.as("stranger").get("/rooms/" + room + path);
            assertThat(answer.status()).as(path).isEqualTo(403);
            assertThat(answer.errcode()).as(path).isEqualTo("M_FORBIDDEN");
        }
    }

    private static List<String> keys(JsonNode events) {
        var keys = new ArrayList<String>();
        events.forEach(event -> keys.add(event.path("state_key").asString("")));
        return keys;
    }
}
