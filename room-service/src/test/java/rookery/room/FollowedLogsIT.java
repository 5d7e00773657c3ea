// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Answer;

/** How far a service that stores its positions has followed the log of another one (contract.md 21). */
class FollowedLogsIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    @Test
    void positionsAreComparedWithTheEndsOfTheLog() {
        assertThat(followed("user-log", 0).json().path("done").booleanValue()).isTrue();
        var ahead = followed("user-log", 1_000_000_000);
        assertThat(ahead.status()).isEqualTo(200);
        assertThat(ahead.json().path("done").booleanValue()).isFalse();
    }

    @Test
    void logThatTheServiceDoesNotFollowIsRefused() {
        assertThat(followed("user", 0).errcode()).isEqualTo("M_INVALID_PARAM");
        assertThat(followed("room-log", 0).errcode()).isEqualTo("M_INVALID_PARAM");
    }

    private static Answer followed(String log, long end) {
        return server.internal(
                "POST",
                "/internal/tenants/import/followed",
                "{\"log\":\"%s\",\"ends\":{\"ends\":[%d]}}".formatted(log, end));
    }
}
