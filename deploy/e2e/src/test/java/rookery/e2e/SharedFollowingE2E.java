// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.FrozenProcesses;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** The instances of a service share the shards of followed logs, and a hanging instance loses its shards to the others. */
@BreaksCluster("freezes a service")
class SharedFollowingE2E {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int USERS = 8; // the probability that all are in shards of the same instance is 1/128

    private final Rookery rookery;
    private Http http;

    SharedFollowingE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void open() {
        http = rookery.http();
    }

    @AfterEach
    void close() {
        http.close();
    }

    /** The number of shards of the user log that an instance of room-service follows; NaN without the metric. */
    private double shards(int instance) {
        try {
            return http.call("GET", "/metrics", null, null)
                    .text()
                    .lines()
                    .filter(line -> line.startsWith("log_shards{")
                            && line.contains("\"user-log\"")
                            && line.contains("\"room-service-" + instance + "\""))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void eventually(int instance, double shards) {
        Deadline.in(PATIENCE).until(() -> shards(instance) == shards);
        assertThat(shards(instance)).isEqualTo(shards);
    }

    @Test
    void instanceThatHangsLeavesItsShardsToTheOther() throws IOException {
        eventually(1, 32);
        eventually(2, 32);
        var users = new ArrayList<Session>();
        var rooms = new ArrayList<String>();
        for (int i = 0; i < USERS; i++) {
            users.add(People.newcomer(http, "member"));
            rooms.add(users.getLast().createRoom(Map.of()));
        }
        try (var _ = FrozenProcesses.freeze(rookery, "room-service-2")) {
            eventually(1, 64);
            for (int i = 0; i < USERS; i++) {
                var user = users.get(i);
                var room = rooms.get(i);
                user.put(
                        "/v3/profile/" + Paths.encoded(user.userId()) + "/displayname",
                        Map.of("displayname", "Renamed"));
                assertThat(Deadline.in(PATIENCE).until(() -> nameIn(user, room).equals("Renamed")))
                        .isTrue();
            }
        }
        eventually(1, 32);
        eventually(2, 32);
    }

    private static String nameIn(Session user, String room) {
        try {
            return user.get("/v3/rooms/" + Paths.encoded(room) + "/state/m.room.member/" + Paths.encoded(user.userId()))
                    .path("displayname")
                    .asString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
