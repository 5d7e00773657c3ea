// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** The purges of a tenant as administrators see them (contract.md 5.4). */
class PurgeListIT {
    private static final String PATH = "/internal/admin/purges";

    @RegisterExtension
    static final RoomServer server =
            RoomServer.own("--rookery.room.purge.grace=0s", "--rookery.room.purge.interval=50ms");

    private final Talk talk = new Talk(server);

    @Test
    void listShowsThePurgesOfTheTenantTheNewestFirst() {
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            String room = talk.room("eve");
            rooms.addFirst(room);
            server.internal("POST", "/internal/admin/rooms/purge", subject(room, ",\"by\":\"@root:example.org\""));
        }

        var purges = AdminList.pages(server, PATH, "{\"tenant\":1,\"after\":\"AFTER\",\"limit\":2}");
        assertThat(purges)
                .extracting(purge -> purge.path("room_id").asString())
                .containsExactlyInAnyOrderElementsOf(rooms);
        assertThat(purges)
                .extracting(purge -> -purge.path("started_ts").longValue())
                .isSorted();
        assertThat(AdminList.page(server, PATH, "{\"tenant\":1,\"after\":\"AFTER\",\"limit\":2}", "")
                        .total())
                .isEqualTo(5);
        assertThat(AdminList.pages(server, PATH, "{\"tenant\":2,\"after\":\"AFTER\",\"limit\":2}"))
                .isEmpty();

        // no push-service answers here, so that the events are gone and the purge is not at its end
        assertThat(Deadline.in(Duration.ofSeconds(30)).until(() -> {
                    var state = state(rooms.getLast());
                    return state.path("events_left").isIntegralNumber()
                            && state.path("events_left").longValue() == 0;
                }))
                .isTrue();
        var state = state(rooms.getLast());
        assertThat(state.path("by").asString()).isEqualTo("@root:example.org");
        assertThat(state.path("room_id").asString()).isEqualTo(rooms.getLast());
        assertThat(state.path("started_ts").longValue()).isPositive();
        assertThat(state.path("ended_ts").isNull()).isTrue();
        assertThat(state.path("done").booleanValue()).isFalse();
    }

    private static JsonNode state(String room) {
        return server.internal("POST", "/internal/admin/rooms/purged", subject(room, ""))
                .json();
    }

    private static String subject(String room, String more) {
        return "{\"tenant\":1,\"room\":\"%s\"%s}".formatted(room, more);
    }
}
