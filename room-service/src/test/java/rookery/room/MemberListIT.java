// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Pages of a room's members for administrators (contract.md 5.2). */
class MemberListIT {
    private static final String PATH = "/internal/admin/rooms/member-list";

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private final Talk talk = new Talk(server);

    @Test
    void pagesShowEachMemberOnceByUserId() {
        String room = talk.room("mara", "mbob", "mcarl", "mdora");
        server.as("mcarl").post("/rooms/" + room + "/leave", "{}");
        server.as("ada").post("/rooms/" + room + "/ban", "{\"user_id\":\"@mdora:example.org\"}");
        server.as("ada").post("/rooms/" + room + "/invite", "{\"user_id\":\"@meve:example.org\"}");

        var members = AdminList.pages(server, PATH, body(room, null, 2));

        assertThat(members)
                .extracting(MemberListIT::user)
                .containsExactly(
                        "@ada:example.org",
                        "@mara:example.org",
                        "@mbob:example.org",
                        "@mcarl:example.org",
                        "@mdora:example.org",
                        "@meve:example.org");
        assertThat(members)
                .extracting(member -> member.path("membership").asString())
                .containsExactly("join", "join", "join", "leave", "ban", "invite");
        assertThat(AdminList.page(server, PATH, body(room, null, 2), "").total())
                .isEqualTo(6);

        var joined = AdminList.page(server, PATH, body(room, "join", 2), "");
        assertThat(joined.total()).isEqualTo(3);
        assertThat(AdminList.pages(server, PATH, body(room, "join", 1)))
                .extracting(MemberListIT::user)
                .containsExactly("@ada:example.org", "@mara:example.org", "@mbob:example.org")
                .isSortedAccordingTo(Comparator.naturalOrder());
        for (String membership : List.of("leave", "ban", "invite")) {
            assertThat(AdminList.pages(server, PATH, body(room, membership, 1))).hasSize(1);
        }
        assertThat(AdminList.pages(server, PATH, body(room, "knock", 1))).isEmpty();
    }

    @Test
    void powerIsThatOfThePowerLevelsAndCreatorsHaveNoNumber() {
        String old = server.as("ada").createRoom("{\"preset\":\"public_chat\",\"room_version\":\"11\"}");
        server.as("mara").post("/rooms/" + old + "/join", "{}");
        var creator = members(old).getFirst();
        assertThat(creator.path("power_level").longValue()).isEqualTo(100);
        assertThat(creator.path("creator").booleanValue()).isFalse();
        server.as("ada")
                .put(
                        "/rooms/" + old + "/state/m.room.power_levels",
                        "{\"users\":{\"@ada:example.org\":100,\"@mara:example.org\":42}}");
        assertThat(members(old).getLast().path("power_level").longValue()).isEqualTo(42);

        String modern = server.as("ada").createRoom("{\"preset\":\"public_chat\",\"room_version\":\"12\"}");
        server.as("mara").post("/rooms/" + modern + "/join", "{}");
        var both = members(modern);
        assertThat(both.getFirst().path("creator").booleanValue()).isTrue();
        assertThat(both.getFirst().path("power_level").isNull()).isTrue();
        assertThat(both.getLast().path("creator").booleanValue()).isFalse();
        assertThat(both.getLast().path("power_level").longValue()).isZero();
    }

    @Test
    void membershipBeganBeforeTheProfileChanged() {
        String room = talk.room("mfay");
        long since = members(room).getLast().path("since_ts").longValue();
        assertThat(since).isPositive();
        var member = "/rooms/" + room + "/state/m.room.member/@mfay:example.org";
        server.as("mfay").put(member, "{\"membership\":\"join\",\"displayname\":\"Fay \\u0000\"}");

        var renamed = members(room).getLast();
        assertThat(renamed.path("display_name").asString()).startsWith("Fay");
        assertThat(renamed.path("since_ts").longValue()).isEqualTo(since);

        server.as("mfay").post("/rooms/" + room + "/leave", "{}");
        assertThat(members(room).getLast().path("since_ts").longValue()).isGreaterThan(since);
    }

    @Test
    void unknownRoomsAndMembershipsAreRefused() {
        String room = talk.room();
        assertThat(server.raw(PATH, body("!nowhere:example.org", null, 1).replace("AFTER", "")))
                .contains("M_NOT_FOUND");
        assertThat(server.raw(PATH, body(room, null, 1).replace("AFTER", "").replace("\"tenant\":1", "\"tenant\":2")))
                .contains("M_NOT_FOUND");
        assertThat(server.raw(PATH, body(room, "friend", 1).replace("AFTER", "")))
                .contains("M_INVALID_PARAM");
    }

    private static List<JsonNode> members(String room) {
        return AdminList.pages(server, PATH, body(room, null, 100));
    }

    private static String user(JsonNode member) {
        return member.path("user_id").asString();
    }

    private static String body(String room, @Nullable String membership, int limit) {
        var word = membership == null ? "null" : "\"" + membership + "\"";
        return "{\"tenant\":1,\"room\":\"%s\",\"by\":\"@root:example.org\",\"membership\":%s,\"after\":\"AFTER\",\"limit\":%d}"
                .formatted(room, word, limit);
    }
}
