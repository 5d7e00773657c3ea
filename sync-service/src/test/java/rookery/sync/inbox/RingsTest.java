// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.sync.ring.RingEvent;
import rookery.sync.testing.Events;
import rookery.sync.waiting.Gathering;
import rookery.sync.waiting.Waiters;

/** The rings of a node stay within one budget, and evicted events are reported as missing. */
class RingsTest {
    private static final TenantId TENANT = new TenantId(1);
    private static final int SHARD = 3;
    private static final long BUDGET = 16 << 20;
    private static final int ROOMS = 1_700;
    private static final int MESSAGES = 4;
    private static final String LARGE = "x".repeat(62_000);

    private final Rings rings = new Rings(new RingProperties(
            200,
            DataSize.ofKilobytes(256),
            DataSize.ofBytes(BUDGET),
            Duration.ofMinutes(10),
            ROOMS * MESSAGES,
            Duration.ofMinutes(2)));

    private long nanos = System.nanoTime();

    @Test
    void nodeThatFillsStaysWithinItsBudgetAndKnowsWhatItForgot() {
        rings.fill(heads(ROOMS * MESSAGES), nanos);
        long pos = 0;
        for (int room = 0; room < ROOMS; room++) {
            for (int i = 0; i < MESSAGES; i++) {
                add(room, ++pos, LARGE);
                assertThat(rings.bytes()).isLessThanOrEqualTo(BUDGET);
            }
        }
        assertThat(between(0, 0)).as("the first room, forgotten").isNull();
        assertThat(between(ROOMS - 1, 0)).as("the last room").hasSize(MESSAGES);
        assertThat(between(ROOMS - 1, pos - 2)).hasSize(2);
        rings.enter(key(0), SHARD, pos, new Waiters(Gathering.none()));
        assertThat(between(0, 0)).as("read again").isNull();
        assertThat(between(0, pos)).isEmpty();
    }

    @Test
    void roomsThatAreReadAreHeldToItToo() {
        rings.fill(heads(0), nanos);
        rings.endFilling(nanos + Duration.ofMinutes(3).toNanos());
        for (int room = 0; room < ROOMS; room++) {
            rings.enter(key(room), SHARD, 0, new Waiters(Gathering.none()));
        }
        for (int pos = 1; pos <= ROOMS; pos++) {
            add(pos - 1, pos, LARGE);
            assertThat(rings.bytes()).isLessThanOrEqualTo(BUDGET);
        }
        assertThat(between(0, 0)).isNull();
        assertThat(between(ROOMS - 1, 0)).hasSize(1);
    }

    @Test
    void whereRoomsAloneAreTooManyTheFillingEnds() {
        long pos = 0;
        rings.fill(heads(0), nanos);
        for (int room = 0; room < 20_000; room++) {
            add(room, ++pos, "x");
            assertThat(rings.bytes()).isLessThanOrEqualTo(BUDGET);
        }
        assertThat(rings.filledFrom()).isNull();
        rings.enter(key(0), SHARD, pos, new Waiters(Gathering.none()));
        assertThat(between(0, 0)).isNull();
    }

    private void add(int room, long pos, String text) {
        nanos += Duration.ofMillis(1).toNanos();
        var entry = new LogRecord(
                SHARD, 1, pos, RoomLogRecord.EVENT, true, TENANT, key(room).room(), null, "");
        var ring = rings.taking(entry);
        if (ring != null) {
            ring.add(new RingEvent(pos, message(pos, text)), nanos);
            rings.keepWithinBudget(nanos);
        }
    }

    private static EventAppended message(long pos, String text) {
        return Events.event("e" + pos, "m.room.message", new UserId("@bob:s"), null, "{\"body\":\"" + text + "\"}");
    }

    private @Nullable List<RingEvent> between(int room, long after) {
        return Objects.requireNonNull(rings.find(key(room))).between(after, Long.MAX_VALUE);
    }

    private static TenantRoom key(int room) {
        return new TenantRoom(TENANT, new RoomId("!" + room + ":s"));
    }

    private static Positions heads(long pos) {
        long[] all = new long[Shards.COUNT];
        all[SHARD] = pos;
        return Positions.of(all);
    }
}
