// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

class LaneStartsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Lane BUSY = new Lane(new TenantId(1), "https://push.example");
    private static final Lane OTHER = new Lane(new TenantId(2), "https://push.example");

    private final LaneStarts starts = new LaneStarts();

    private static DueUnit unit(Lane lane, Instant due) {
        return new DueUnit(
                1,
                1,
                lane,
                new UserId("@ada:example.org"),
                new RoomId("!a:example.org"),
                new EventId("$a"),
                "",
                false,
                1,
                due,
                null,
                null);
    }

    @Test
    void claimBeginsShortlyBeforeTheOldestUnitOfTheClaimBefore() {
        assertThat(starts.of(BUSY, NOW)).isEqualTo(Instant.EPOCH);
        starts.claimed(
                List.of(BUSY, OTHER), List.of(unit(BUSY, NOW.minusSeconds(60)), unit(BUSY, NOW.minusSeconds(61))));
        assertThat(starts.of(BUSY, NOW.plusSeconds(1))).isEqualTo(NOW.minusSeconds(66));
        assertThat(starts.of(OTHER, NOW.plusSeconds(1))).isEqualTo(Instant.EPOCH);
    }

    /** A unit may be committed later than younger ones, or be put back by another instance. */
    @Test
    void claimBeginsAtTheBeginningNowAndThenAndAfterAClaimWithoutUnits() {
        starts.of(BUSY, NOW);
        starts.claimed(List.of(BUSY), List.of(unit(BUSY, NOW)));
        starts.claimed(List.of(BUSY), List.of(unit(BUSY, NOW.plusSeconds(9))));
        assertThat(starts.of(BUSY, NOW.plusSeconds(9))).isEqualTo(NOW.plusSeconds(4));
        assertThat(starts.of(BUSY, NOW.plusSeconds(10))).isEqualTo(Instant.EPOCH);
        starts.claimed(List.of(BUSY), List.of(unit(BUSY, NOW.plusSeconds(10))));
        starts.claimed(List.of(BUSY), List.of());
        assertThat(starts.of(BUSY, NOW.plusSeconds(11))).isEqualTo(Instant.EPOCH);
    }
}
