// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import rookery.embedded.Deadline;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.RoomServer.Client;
import rookery.room.draft.EventLine;
import rookery.room.draft.MemberAction;
import rookery.room.draft.RoomDraft.OfMember;
import rookery.room.roomlog.RoomLog;
import tools.jackson.databind.json.JsonMapper;

/** Bans follow a room into its successor, however many there are (contract.md 8.4). */
class BanCopiesIT {
    private static final int MANY = 1_000;
    private static final Duration LONG = Duration.ofSeconds(60);

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Client ada;

    @BeforeAll
    static void start() {
        ada = server.as("ada");
    }

    /** More bans than one batch copies: the others follow in portions and apply from the beginning. */
    @Test
    void aThousandBansHoldAtOnceAndMoveByPortions() {
        String old = ada.createRoom("{\"preset\":\"public_chat\"}");
        var log = server.bean(RoomLog.class);
        var banned = IntStream.range(0, MANY)
                .mapToObj("@banned%d:example.org"::formatted)
                .toList();
        Flux.fromIterable(banned)
                .flatMap(user -> log.append(ban(old, user)), 400)
                .blockLast(Duration.ofMinutes(2));

        String replacement = upgraded(old);

        var last = banned.getLast();
        assertThat(server.as(last).post("/rooms/" + replacement + "/join", "{}").status())
                .isEqualTo(403);
        assertThat(ada.post("/rooms/" + replacement + "/invite", "{\"user_id\":\"" + last + "\"}")
                        .status())
                .isEqualTo(403);
        var forgiven = banned.get(MANY - 2);
        assertThat(ada.post("/rooms/" + replacement + "/unban", "{\"user_id\":\"" + forgiven + "\"}")
                        .status())
                .isEqualTo(200);
        assertThat(ada.send(replacement, "t1", "still here").status()).isEqualTo(200);
        var expected = banned.stream().filter(user -> !user.equals(forgiven)).toList();
        assertThat(Deadline.in(LONG)
                        .until(() ->
                                members(replacement, "ban").size() >= expected.size() && !hasOpenBans(replacement)))
                .isTrue();
        assertThat(members(replacement, "ban")).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(ada.get("/rooms/" + replacement + "/state/m.room.member/" + last)
                        .json()
                        .path("reason")
                        .asString(""))
                .isEqualTo("one of many");
    }

    private static boolean hasOpenBans(String successor) {
        return Boolean.TRUE.equals(server.bean(DatabaseClient.class)
                .sql("SELECT bans_after IS NOT NULL FROM room.upgrade WHERE room_id = :room")
                .bind("room", successor)
                .mapValue(Boolean.class)
                .one()
                .block());
    }

    private static String upgraded(String room) {
        var answer = ada.post("/rooms/" + room + "/upgrade", "{\"new_version\":\"11\"}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.text("replacement_room");
    }

    private static List<String> members(String room, String membership) {
        var members = new ArrayList<String>();
        ada.get("/rooms/" + room + "/members?membership=" + membership)
                .json()
                .path("chunk")
                .forEach(event -> members.add(event.path("state_key").asString("")));
        return members;
    }

    private static OfMember ban(String room, String user) {
        return new OfMember(
                new TenantRoom(new TenantId(1), new RoomId(room)),
                new UserId("@ada:example.org"),
                new UserId(user),
                newId(),
                MemberAction.BAN,
                JsonMapper.shared().createObjectNode().put("reason", "one of many"),
                false,
                null);
    }

    private static EventId newId() {
        return EventLine.newId(new java.security.SecureRandom());
    }
}
