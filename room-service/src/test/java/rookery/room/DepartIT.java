package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.embedded.TestServers;

/** Whoever is gone for good is in no room any more. */
class DepartIT {
    private static RoomServer server;

    @BeforeAll
    static void start() {
        server = new RoomServer(TestServers.database("room-service"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void joinedRoomsAreLeftAndInvitesAndKnocksAreTakenBack() {
        var ada = server.as("ada");
        String joined = ada.createRoom("{\"preset\":\"public_chat\"}");
        String invited = ada.createRoom("{\"invite\":[\"@bob:example.org\"]}");
        String own = server.as("bob").createRoom("{\"invite\":[\"@ada:example.org\"]}");
        server.as("bob").post("/rooms/" + joined + "/join", "{}");
        ada.post("/rooms/" + own + "/join", "{}");

        assertThat(depart("@bob:example.org", 1)).isEqualTo(200);

        for (String room : List.of(joined, invited, own)) {
            assertThat(membership(room, "@bob:example.org")).as(room).isEqualTo("leave");
        }
        assertThat(ada.get("/joined_rooms").json().path("joined_rooms").size()).isEqualTo(3);
        int before = events(joined);
        assertThat(depart("@bob:example.org", 1)).isEqualTo(200);
        assertThat(events(joined)).isEqualTo(before);
    }

    @Test
    void nobodyGoneComesInAgainWhateverWasUnderWay() {
        var ada = server.as("ada");
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");

        assertThat(depart("@cyd:example.org", 1)).isEqualTo(200);

        var cyd = server.as("cyd");
        assertThat(cyd.post("/rooms/" + room + "/join", "{}").errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(cyd.post("/createRoom", "{}").errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(ada.post("/rooms/" + room + "/invite", "{\"user_id\":\"@cyd:example.org\"}")
                        .errcode())
                .isEqualTo("M_NOT_FOUND");
    }

    @Test
    void theOtherTenantIsNotTouched() {
        var dan = server.as("dan");
        String room = dan.createRoom("{}");

        assertThat(depart("@dan:example.org", 2)).isEqualTo(200);

        assertThat(dan.send(room, "t", "still here").status()).isEqualTo(200);
    }

    @Test
    void manyRoomsAreLeftWhileTheUserIsStillJoining() throws Exception {
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            rooms.add(server.as("eve").createRoom("{\"preset\":\"public_chat\"}"));
        }
        var fay = server.as("fay");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var joins = rooms.stream()
                    .map(room -> threads.submit(() -> fay.post("/rooms/" + room + "/join", "{}")))
                    .toList();
            joins.getFirst().get();
            assertThat(depart("@fay:example.org", 1)).isEqualTo(200);
            for (var join : joins) {
                assertThat(join.get().status()).isIn(200, 403);
            }
        }

        assertThat(fay.get("/joined_rooms").json().path("joined_rooms").size()).isZero();
    }

    private static int events(String room) {
        return server.as("ada")
                .get("/rooms/" + room + "/messages?dir=b&limit=100")
                .json()
                .path("chunk")
                .size();
    }

    private static int depart(String user, int tenant) {
        return server.internal(
                        "POST",
                        "/internal/users/depart",
                        "{\"tenant\":%d,\"user\":\"%s\",\"erase\":false}".formatted(tenant, user))
                .status();
    }

    private static String membership(String room, String user) {
        return server.as("ada")
                .get("/rooms/" + room + "/state/m.room.member/" + user)
                .text("membership");
    }
}
