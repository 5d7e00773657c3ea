// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import rookery.embedded.Deadline;

/** Reads do not delay writes: appends to the log have connections of their own. */
class StormOfReadersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** More than the pool serves within the time that a statement waits for a connection. */
    private static final int READERS = 200;

    private static final int POOL = 12;
    private static final String SLOW = "SELECT count(*) AS slow_reader FROM pg_sleep(0.5)";

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static RoomServer stormed;

    @BeforeAll
    static void start() {
        stormed = server.another();
    }

    @AfterAll
    static void stop() {
        stormed.close();
    }

    @Test
    void messagesAreStoredWhileReadersUseAllTheirConnections() {
        String room = server.as("ada").createRoom("{}");
        var ada = stormed.as("ada");
        assertThat(ada.put("/rooms/" + room + "/send/m.room.message/first", "{\"body\":\"calm\"}")
                        .status())
                .isEqualTo(200);
        var db = stormed.bean(DatabaseClient.class);
        var storm = Flux.range(0, READERS)
                .flatMap(_ -> db.sql(SLOW).then().onErrorComplete().repeat(), READERS)
                .subscribe();
        try {
            assertThat(Deadline.in(PATIENCE).until(() -> readers() == POOL)).isTrue();
            for (int i = 0; i < 10; i++) {
                assertThat(ada.put("/rooms/" + room + "/send/m.room.message/" + i, "{\"body\":\"storm\"}")
                                .status())
                        .isEqualTo(200);
            }
        } finally {
            storm.dispose();
        }
    }

    private static long readers() {
        var count = server.bean(DatabaseClient.class)
                .sql(
                        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%slow_reader%' AND wait_event = 'PgSleep'")
                .mapValue(Long.class)
                .one()
                .block();
        return count == null ? 0 : count;
    }
}
