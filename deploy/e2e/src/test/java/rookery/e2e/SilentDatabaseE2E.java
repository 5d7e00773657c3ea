// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.FrozenProcesses;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** A database whose processes hang without closing connections delays requests only until the hang is noticed. */
@BreaksOneJvm("stops processes of the database")
class SilentDatabaseE2E {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int ROOMS = 20;

    private final Rookery rookery;

    SilentDatabaseE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void allRoomsGoOnWhileTheOldConnectionsAreStillSilent() throws IOException {
        try (var http = rookery.http()) {
            var ada = People.newcomer(http, "ada");
            var rooms = new ArrayList<String>();
            for (int i = 0; i < ROOMS; i++) {
                rooms.add(ada.createRoom(Map.of()));
            }
            var eventIds = new ArrayList<String>();
            try (var _ = FrozenProcesses.freezeBackends(rookery, "room-service")) {
                for (String room : rooms) {
                    assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> send(ada, room, "while", eventIds)))
                            .as("said in %s", room)
                            .isTrue();
                }
            }
            for (String room : rooms) {
                ada.say(room, "after");
            }
            for (String room : rooms) {
                assertThat(ada.messages(room, "b", null, null, 2).toString())
                        .contains(eventIds.get(rooms.indexOf(room)));
            }
        }
    }

    /** Sends a message once, with its text as the transaction id. Returns whether the server accepted it. */
    private static boolean send(Session who, String room, String text, List<String> eventIds) {
        try {
            var answer = who.call(
                    "PUT", Paths.room(room, "/send/m.room.message/" + text), Map.of("msgtype", "m.text", "body", text));
            if (answer.isOk()) {
                eventIds.add(answer.json().path("event_id").asString());
            } else {
                assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
            }
            return answer.isOk();
        } catch (IOException e) {
            return false;
        }
    }
}
