// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.log.append.Head;
import rookery.room.authorization.CoreState;
import rookery.room.roomlog.Rooms.RoomHead;
import tools.jackson.databind.json.JsonMapper;

/** An instance's rooms in memory have a bound in bytes. */
class CachedRoomsTest {
    private static final UserId ADA = new UserId("@ada:s");
    private static final CoreState SMALL = CoreState.of(ADA);
    private static final CoreState LARGE = largeLevels();
    private static final int BYTES_MAX = 10 << 20;

    private final CachedRooms rooms = new CachedRooms(BYTES_MAX);

    /** Levels of some 60 kB in 7,000 keys, as an override in {@code createRoom} may have them. */
    static CoreState largeLevels() {
        var content = JsonMapper.shared().createObjectNode();
        var events = content.putObject("events");
        IntStream.range(0, 7_000).forEach(i -> events.put(Integer.toString(i, 36), 1));
        return SMALL.after(EventTypes.POWER_LEVELS, "", ADA, content);
    }

    private static TenantRoom room(int number) {
        return new TenantRoom(new TenantId(1), new RoomId("!room" + number + ":s"));
    }

    private Collection<CachedRoom> found(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> Stream.ofNullable(rooms.find(room(number), 1)))
                .flatMap(found -> found)
                .toList();
    }

    @Test
    void largePowerLevelsStayBelowTheBound() {
        IntStream.range(0, 100).forEach(number -> rooms.put(room(number), 1, new CachedRoom(7, LARGE)));

        assertThat(rooms.bytes()).isPositive().isLessThanOrEqualTo(BYTES_MAX);
        assertThat(found(100)).isNotEmpty().hasSizeLessThan(BYTES_MAX / 60_000);
    }

    @Test
    void smallRoomsAreKeptByTheThousand() {
        IntStream.range(0, 5_000).forEach(number -> rooms.put(room(number), 1, new CachedRoom(7, SMALL)));

        assertThat(found(5_000)).hasSize(5_000);
    }

    @Test
    void membersCountWhenTheyAreAdded() {
        var work = new RoomWork(new RoomHead(room(0), ADA, 7, 1, 0, false, 0, false), new CachedRoom(7, SMALL));
        var run = new ShardRuns().continued(new Head(1, 1, 7));
        int before = work.toCached(run).bytes();
        IntStream.range(0, 1_000).forEach(i -> work.vouch(new UserId("@user" + i + ":s")));

        assertThat(work.toCached(run).bytes()).isGreaterThan(before + 100_000);
    }
}
