// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Talk.assertRefused;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;

/** The rooms that two users share: contract.md 8.1. */
class MutualRoomsIT {
    private static final String UNSTABLE = "/unstable/uk.half-shot.msc2666/user/mutual_rooms";

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Answer mutual(Client client, String other) {
        return client.get("/v1/mutual_rooms?user_id=" + other);
    }

    private static List<String> joined(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json()
                .path("joined")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
    }

    private static String room(Client owner, Client... guests) {
        String room = owner.createRoom("{\"preset\":\"public_chat\"}");
        for (var guest : guests) {
            guest.post("/rooms/" + room + "/join", "{}");
        }
        return room;
    }

    @Test
    void roomsInWhichBothAreAreShared() {
        var may = server.as("may");
        var ned = server.as("ned");
        String shared = room(may, ned);
        String left = room(may, ned);
        ned.post("/rooms/" + left + "/leave", "{}");
        String invited = room(may);
        may.post("/rooms/" + invited + "/invite", "{\"user_id\":\"" + ned.user + "\"}");
        room(ned, server.as("oda"));

        var answer = mutual(may, ned.user);
        assertThat(joined(answer)).containsExactly(shared);
        assertThat(answer.json().path("count").intValue()).isEqualTo(1);
        assertThat(answer.json().has("next_batch")).isFalse();
        assertThat(joined(mutual(ned, may.user))).containsExactly(shared);
        assertThat(joined(may.get(UNSTABLE + "?user_id=" + ned.user))).containsExactly(shared);
        assertThat(joined(mutual(may, "@oda:example.org"))).isEmpty();
        assertThat(joined(mutual(may, "@nobody:example.org"))).isEmpty();
        assertThat(joined(mutual(may, "@ned:example.net"))).isEmpty();
        assertThat(joined(mutual(server.as("@may:example.net"), "@ned:example.net")))
                .isEmpty();
    }

    @Test
    void whatIsNoOtherUserIsRefused() {
        var may = server.as("may");
        assertRefused(may.get("/v1/mutual_rooms"), 400, "M_MISSING_PARAM");
        assertRefused(may.get(UNSTABLE), 400, "M_MISSING_PARAM");
        assertRefused(mutual(may, "may"), 400, "M_INVALID_PARAM");
        assertRefused(mutual(may, "@May:example.org"), 400, "M_INVALID_PARAM");
        assertRefused(mutual(may, may.user), 400, "M_INVALID_PARAM");
        assertRefused(mutual(may, "@ned:example.org&from=nonsense"), 400, "M_INVALID_PARAM");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"pat,quin,format('!mutual%s:example.org'; i)", "pia,quinn,rpad('!mutual' || i || '_'; 44; 'x')"})
    void pagesTogetherAreAllRoomsEachOnce(String one, String other, String id) {
        var pat = server.as(one);
        var quin = server.as(other);
        var all = new ArrayList<String>();
        all.add(room(pat, quin));
        // as many rooms as a page does not hold, made in the tables: making them by requests would take minutes
        var made = server.bean(DatabaseClient.class)
                .sql("""
                        WITH made AS (
                             INSERT INTO room.room (tenant, room_id, shard, creator, created_ms, state_pos, joined, invited)
                             SELECT 1, ID, 0, :one, 0, 0, 2, 0
                               FROM generate_series(1, 1200) i RETURNING room_id),
                        members AS (
                             INSERT INTO room.state (tenant, room_id, type, state_key, valid_from, event_id, membership)
                             SELECT 1, room_id, 'm.room.member', member, 1, '$none', 'join'
                               FROM made, unnest(ARRAY[:one, :other]) member)
                        SELECT room_id FROM made
                        """.replace("ID", id.replace(';', ',')))
                .bind("one", pat.user)
                .bind("other", quin.user)
                .mapValue(String.class)
                .all()
                .collectList()
                .block();
        all.addAll(Objects.requireNonNull(made));
        // without statistics PostgreSQL compares each room with each, up to statement_timeout; autovacuum makes them
        // within a minute of such an insert
        server.bean(DatabaseClient.class)
                .sql("ANALYZE room.room, room.state")
                .then()
                .block();

        var first = mutual(pat, quin.user);
        var second = mutual(pat, quin.user + "&from=" + first.text("next_batch"));
        var ofOldName = pat.get(UNSTABLE + "?user_id=" + quin.user + "&batch_token="
                + pat.get(UNSTABLE + "?user_id=" + quin.user).text("next_batch_token"));

        assertThat(joined(first)).hasSize(1000);
        assertThat(first.json().path("count").intValue()).isEqualTo(1201);
        assertThat(second.json().has("next_batch")).isFalse();
        assertThat(joined(ofOldName)).isEqualTo(joined(second));
        var bothPages = new ArrayList<>(joined(first));
        bothPages.addAll(joined(second));
        assertThat(bothPages).containsExactlyInAnyOrderElementsOf(all);
        assertRefused(mutual(quin, pat.user + "&from=" + first.text("next_batch")), 400, "M_INVALID_PARAM");
    }
}
