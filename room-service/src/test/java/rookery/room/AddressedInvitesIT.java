// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Answer;

/** Invitations by a bound address (contract.md 8.2), and shared rooms as auth-service asks for them. */
class AddressedInvitesIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    @Test
    void boundAddressInvitesItsUser() {
        String room = server.as("ada").createRoom("{}");

        assertThat(invite(room, "{\"medium\":\"email\",\"address\":\"bob@mail.example\"}")
                        .status())
                .isEqualTo(200);

        assertThat(membership(room, "bob")).isEqualTo("invite");
        assertThat(invite(room, "{\"medium\":\"email\",\"address\":\"bob@mail.example\"}")
                        .status())
                .as("again")
                .isEqualTo(200);
    }

    @Test
    void addressOfNobodyIsNotFound() {
        String room = server.as("ada").createRoom("{}");

        assertThat(invite(room, "{\"medium\":\"email\",\"address\":\"bob@elsewhere.example\"}")
                        .errcode())
                .isEqualTo("M_THREEPID_NOT_FOUND");
        assertThat(invite(room, "{\"medium\":\"pigeon\",\"address\":\"bob@mail.example\"}")
                        .errcode())
                .isEqualTo("M_THREEPID_NOT_FOUND");
        assertThat(invite(room, "{\"medium\":\"email\",\"address\":\"none@mail.example\"}")
                        .errcode())
                .as("a user who has been deactivated since")
                .isEqualTo("M_NOT_FOUND");
        assertThat(invite(room, "{\"address\":\"bob@mail.example\"}").errcode()).isEqualTo("M_MISSING_PARAM");
        assertThat(invite(room, "{\"medium\":5,\"address\":\"bob@mail.example\"}")
                        .errcode())
                .isEqualTo("M_BAD_JSON");
        assertThat(invite(room, "{\"medium\":\"email\"}").errcode()).isEqualTo("M_MISSING_PARAM");
    }

    @Test
    void whoMayNotInviteMayNotByAddressEither() {
        String room = server.as("ada").createRoom("{}");

        assertThat(server.as("cyd")
                        .post("/rooms/" + room + "/invite", "{\"medium\":\"email\",\"address\":\"bob@mail.example\"}")
                        .errcode())
                .isEqualTo("M_FORBIDDEN");
    }

    @Test
    void roomsAreMadeWithThoseWhoAreFound() {
        String room = server.as("ada").createRoom("""
                {"invite":["@dan:example.org"],"is_direct":true,
                 "invite_3pid":[{"id_server":"x","id_access_token":"y","medium":"email","address":"bob@mail.example"},
                                {"medium":"email","address":"dan@mail.example"},
                                {"medium":"email","address":"ada@mail.example"},
                                {"medium":"msisdn","address":"447400123456"},
                                {"medium":"email","address":"bob@elsewhere.example"}]}
                """);

        assertThat(membership(room, "bob")).isEqualTo("invite");
        assertThat(membership(room, "dan")).isEqualTo("invite");
        assertThat(membership(room, "ada")).isEqualTo("join");
        assertThat(server.as("ada")
                        .get("/rooms/" + room + "/members")
                        .json()
                        .path("chunk")
                        .size())
                .isEqualTo(3);
    }

    @Test
    void badAddressesMakeNoRoom() {
        var ada = server.as("ada");

        assertThat(ada.post("/createRoom", "{\"invite_3pid\":[{\"medium\":\"email\"}]}")
                        .errcode())
                .isEqualTo("M_MISSING_PARAM");
        assertThat(ada.post("/createRoom", "{\"invite_3pid\":[5]}").errcode()).isEqualTo("M_BAD_JSON");
        String many = IntStream.range(0, 201)
                .mapToObj(i -> "{\"medium\":\"email\",\"address\":\"u%d@mail.example\"}".formatted(i))
                .collect(Collectors.joining(","));
        assertThat(ada.post("/createRoom", "{\"invite_3pid\":[" + many + "]}").errcode())
                .isEqualTo("M_INVALID_PARAM");
    }

    @Test
    void roomsAreSharedByThoseWhoAreInThem() {
        String room = server.as("fay").createRoom("{\"invite\":[\"@gus:example.org\"]}");
        assertThat(isShared("fay", "gus", 1)).as("invited").isFalse();

        server.as("gus").post("/rooms/" + room + "/join", "{}");
        assertThat(isShared("fay", "gus", 1)).isTrue();
        assertThat(isShared("gus", "fay", 1)).isTrue();
        assertThat(isShared("gus", "fay", 2)).as("in another tenant").isFalse();

        server.as("gus").post("/rooms/" + room + "/leave", "{}");
        assertThat(isShared("fay", "gus", 1)).isFalse();
    }

    @Test
    void acquaintedAreMembersAndThoseWhoAreInvitedOrKnock() {
        String room = server.as("hal").createRoom("{\"preset\":\"public_chat\",\"invite\":[\"@ivy:example.org\"]}");
        server.as("jim").post("/rooms/" + room + "/join", "{}");
        server.as("jim").createRoom("{\"invite\":[\"@kay:example.org\"]}");
        assertThat(acquainted("hal", 1)).isEqualTo("[\"@ivy:example.org\",\"@jim:example.org\"]");
        assertThat(acquainted("ivy", 1)).as("who is invited").isEqualTo("[\"@hal:example.org\",\"@jim:example.org\"]");
        assertThat(acquainted("kay", 1)).isEqualTo("[\"@jim:example.org\"]");
        assertThat(acquainted("hal", 2)).as("in another tenant").isEqualTo("[]");

        server.as("ivy").post("/rooms/" + room + "/leave", "{}");
        server.as("hal").post("/rooms/" + room + "/ban", "{\"user_id\":\"@jim:example.org\"}");
        assertThat(acquainted("hal", 1)).isEqualTo("[]");
    }

    /** The users of four that room-service names, by id. */
    private static String acquainted(String user, int tenant) {
        var users = server.internal("POST", "/internal/rooms/acquainted", """
                        {"tenant":%d,"user":"@%s:example.org",
                        "others":["@hal:example.org","@ivy:example.org","@jim:example.org","@kay:example.org"]}
                        """.formatted(tenant, user))
                .json()
                .path("users");
        return users.valueStream()
                .map(other -> other.asString(""))
                .filter(other -> !other.equals("@" + user + ":example.org"))
                .sorted()
                .map(other -> "\"" + other + "\"")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static boolean isShared(String user, String other, int tenant) {
        return server.internal(
                        "POST",
                        "/internal/rooms/shared",
                        "{\"tenant\":%d,\"user\":\"@%s:example.org\",\"other\":\"@%s:example.org\"}"
                                .formatted(tenant, user, other))
                .json()
                .path("shared")
                .booleanValue();
    }

    private static Answer invite(String room, String body) {
        return server.as("ada").post("/rooms/" + room + "/invite", body);
    }

    private static String membership(String room, String localpart) {
        return server.as("ada")
                .get("/rooms/" + room + "/state/m.room.member/@" + localpart + ":example.org")
                .json()
                .path("membership")
                .asString("");
    }
}
