// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.token.PageToken;
import rookery.model.token.Positions;
import rookery.platform.log.append.EarlierEpochs;
import rookery.room.authorization.MemberHistory;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** Tokens of clients from before a restore of the log. */
class ReadingTest {
    private static final long LOST = 77;

    private final ReaderInRoom reading = new ReaderInRoom(
                    new TenantRoom(new TenantId(1), new RoomId("!r:s")),
                    1,
                    30,
                    100,
                    new UserId("@ada:s"),
                    new MemberHistory(List.of()),
                    false)
            .after(new EarlierEpochs(Map.of(2L, Positions.of(0, 50))));

    private long pos(long epoch, long pos) {
        return reading.pos(new PageToken(epoch, 1, pos), LOST);
    }

    @Test
    void whatTheRestoreKeptIsWhereItWas() {
        assertThat(pos(2, 50)).isEqualTo(50);
        assertThat(pos(30, 60)).isEqualTo(60);
        assertThat(pos(30, 101)).as("beyond the head").isEqualTo(100);
    }

    @Test
    void whatItDidNotKeepIsLost() {
        assertThat(pos(2, 51)).isEqualTo(LOST);
        assertThat(pos(1, 10)).as("an epoch that nobody knows").isEqualTo(LOST);
    }
}
