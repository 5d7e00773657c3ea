// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The endpoint of push-service for notifications: events of any rooms, as visible to the user (contract.md 11.5). */
class EventsOfUserIT {
    private static final JsonMapper JSON = JsonMapper.shared();

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Talk talk;
    private static Client ada;
    private static Client bob;

    @BeforeAll
    static void start() {
        talk = new Talk(server);
        ada = server.as("ada");
        bob = server.as("bob");
    }

    private record EventRequest(String room, String event) {}

    private static JsonNode eventsOf(int tenant, String user, EventRequest... requests) {
        var events = List.of(requests).stream()
                .map(one -> Map.of("room_id", one.room, "event_id", one.event))
                .toList();
        var question = Map.of("tenant", tenant, "user", "@" + user + ":example.org", "device", "D", "events", events);
        var answer = server.internal("POST", "/internal/events", JSON.writeValueAsString(question));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().path("events");
    }

    @Test
    void eventsOfSeveralRoomsAreShownAsTheirUserSeesThem() {
        var one = talk.room("bob");
        var two = talk.room("bob");
        var first = Talk.say(ada, one, "first");
        var second = Talk.say(bob, two, "second");
        Talk.edit(ada, one, first, "better");
        var shown = eventsOf(1, "bob", new EventRequest(one, first), new EventRequest(two, second));
        assertThat(shown.propertyNames()).containsExactlyInAnyOrder(first, second);
        assertThat(shown.path(first).path("room_id").stringValue()).isEqualTo(one);
        assertThat(shown.path(first).path("sender").stringValue()).isEqualTo("@ada:example.org");
        assertThat(shown.path(first).path("content").path("body").stringValue()).isEqualTo("first");
        assertThat(shown.path(first).path("unsigned").path("m.relations").has("m.replace"))
                .isTrue();
        assertThat(shown.path(second).path("room_id").stringValue()).isEqualTo(two);
    }

    @Test
    void whatTheUserDoesNotSeeIsLeftOut() {
        var room = talk.room("bob");
        ada.put("/rooms/" + room + "/state/m.room.history_visibility", "{\"history_visibility\":\"joined\"}");
        var seen = Talk.say(ada, room, "seen");
        var redacted = Talk.say(ada, room, "redacted");
        Talk.redact(ada, room, redacted);
        assertThat(bob.post("/rooms/" + room + "/leave", "{}").status()).isEqualTo(200);
        var later = Talk.say(ada, room, "later");
        var elsewhere = Talk.say(ada, talk.room(), "elsewhere");
        var requests = new EventRequest[] {
            new EventRequest(room, seen),
            new EventRequest(room, redacted),
            new EventRequest(room, later),
            new EventRequest(room, elsewhere),
            new EventRequest(room, "$nothing"),
            new EventRequest("!nowhere:example.org", seen)
        };
        assertThat(eventsOf(1, "bob", requests).propertyNames()).containsExactly(seen);
        assertThat(eventsOf(1, "ada", requests).propertyNames()).containsExactlyInAnyOrder(seen, later);
        assertThat(eventsOf(1, "eve", requests).propertyNames()).isEmpty();
        assertThat(eventsOf(2, "ada", requests).propertyNames()).isEmpty();
        assertThat(eventsOf(1, "ada").propertyNames()).isEmpty();
    }

    @Test
    void invitationIsShownToWhoeverItIsFor() {
        var room = ada.createRoom("{\"preset\":\"private_chat\"}");
        var before = Talk.say(ada, room, "secret");
        assertThat(ada.post("/rooms/" + room + "/invite", "{\"user_id\":\"@bob:example.org\"}")
                        .status())
                .isEqualTo(200);
        var invite = ada.get("/rooms/" + room + "/messages?dir=b&limit=1")
                .json()
                .path("chunk")
                .path(0)
                .path("event_id")
                .stringValue();
        ada.put("/rooms/" + room + "/state/m.room.history_visibility", "{\"history_visibility\":\"joined\"}");
        var shown = eventsOf(1, "bob", new EventRequest(room, invite), new EventRequest(room, before));
        assertThat(shown.propertyNames()).contains(invite);
        assertThat(shown.path(invite).path("content").path("membership").stringValue())
                .isEqualTo("invite");
        assertThat(eventsOf(1, "eve", new EventRequest(room, invite)).propertyNames())
                .isEmpty();
    }

    @Test
    void onlyServicesMayAsk() {
        assertThat(ada.post("/internal/events", "{}").status()).isIn(401, 403, 404);
    }
}
