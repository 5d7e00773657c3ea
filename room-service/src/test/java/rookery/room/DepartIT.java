// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever is gone for good is in no room any more. */
class DepartIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    @Test
    void joinedRoomsAreLeftAndInvitesAndKnocksAreTakenBack() {
        var dora = server.as("dora");
        String joined = dora.createRoom("{\"preset\":\"public_chat\"}");
        String invited = dora.createRoom("{\"invite\":[\"@doug:example.org\"]}");
        String own = server.as("doug").createRoom("{\"invite\":[\"@dora:example.org\"]}");
        server.as("doug").post("/rooms/" + joined + "/join", "{}");
        dora.post("/rooms/" + own + "/join", "{}");

        assertThat(depart("@doug:example.org", 1)).isEqualTo(200);

        for (String room : List.of(joined, invited, own)) {
            assertThat(membership(room, "@doug:example.org")).as(room).isEqualTo("leave");
        }
        assertThat(dora.get("/joined_rooms").json().path("joined_rooms").size()).isEqualTo(3);
        int before = events(joined);
        assertThat(depart("@doug:example.org", 1)).isEqualTo(200);
        assertThat(events(joined)).isEqualTo(before);
    }

    @Test
    void nobodyGoneComesInAgainWhateverWasUnderWay() {
        var dora = server.as("dora");
        String room = dora.createRoom("{\"preset\":\"public_chat\"}");

        assertThat(depart("@dina:example.org", 1)).isEqualTo(200);

        var dina = server.as("dina");
        assertThat(dina.post("/rooms/" + room + "/join", "{}").errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(dina.post("/createRoom", "{}").errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(dora.post("/rooms/" + room + "/invite", "{\"user_id\":\"@dina:example.org\"}")
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
            rooms.add(server.as("dirk").createRoom("{\"preset\":\"public_chat\"}"));
        }
        var dean = server.as("dean");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var joins = rooms.stream()
                    .map(room -> threads.submit(() -> dean.post("/rooms/" + room + "/join", "{}")))
                    .toList();
            joins.getFirst().get();
            assertThat(depart("@dean:example.org", 1)).isEqualTo(200);
            for (var join : joins) {
                assertThat(join.get().status()).isIn(200, 403);
            }
        }

        assertThat(dean.get("/joined_rooms").json().path("joined_rooms").size()).isZero();
    }

    private static int events(String room) {
        return server.as("dora")
                .get("/rooms/" + room + "/messages?dir=b&limit=100")
                .json()
                .path("chunk")
                .size();
    }

    /** As auth-service's worker does it: again while room-service is too busy. */
    private static int depart(String user, int tenant) {
        String body = "{\"tenant\":%d,\"user\":\"%s\",\"erase\":false}".formatted(tenant, user);
        int status = 503;
        for (int i = 0; i < 5 && status == 503; i++) {
            status = server.internal("POST", "/internal/users/depart", body).status();
        }
        return status;
    }

    private static String membership(String room, String user) {
        return server.as("dora")
                .get("/rooms/" + room + "/state/m.room.member/" + user)
                .text("membership");
    }
}
