// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.sync.unread.UnreadWorld.ADA;
import static rookery.sync.unread.UnreadWorld.BOB;
import static rookery.sync.unread.UnreadWorld.EVE;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.id.RoomId;
import rookery.model.token.Positions;
import rookery.sync.unread.Counts.Tally;
import rookery.sync.unread.UnreadWorld.Event;
import rookery.sync.unread.UnreadWorld.Room;

class UserUnreadTest {
    private static final List<String> THREADS = List.of("$one", "$two");

    private final UnreadWorld world = new UnreadWorld();

    @Test
    void whateverHappensWhatIsToldIsRightOnceNothingIsInDoubt() {
        long checked = 0;
        for (int seed = 0; seed < 500; seed++) {
            checked += new Run(seed).run();
        }
        assertThat(checked).isGreaterThan(3_000);
    }

    /** One random sequence of steps. */
    private static final class Run {
        private final SplittableRandom random;
        private final UnreadWorld world = new UnreadWorld();
        private final int seed;
        private final Map<RoomId, Counts> lastTold = new HashMap<>();
        private boolean away;
        private long checked;

        Run(int seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            for (int i = 0; i < 3; i++) {
                world.addRoom(random.nextBoolean() ? 5 : 1000);
            }
        }

        long run() {
            for (int step = 0; step < 300; step++) {
                step();
            }
            away = false;
            for (int i = 0; i < 30; i++) {
                pushAll();
                world.nanos += TimeUnit.SECONDS.toNanos(10);
                answer(joined());
            }
            assertThat(world.unread.isUnsettled()).as("seed %d", seed).isFalse();
            check(answer(joined()), world.heads().toArray());
            return checked;
        }

        private List<Room> joined() {
            return world.rooms.stream().filter(Room::isJoined).toList();
        }

        private void step() {
            var room = world.rooms.get(random.nextInt(world.rooms.size()));
            switch (random.nextInt(24)) {
                case 0, 1, 2, 3, 4 -> room.message(random.nextBoolean() ? BOB : EVE, thread(), rare(), rare());
                case 5 -> own(room);
                case 6, 7 -> read(room, thread());
                case 8 -> read(room, random.nextBoolean() ? "main" : null);
                case 9 -> room.redact(BOB, event(room));
                case 10 -> member(room);
                case 11 -> rulesOrIgnored();
                case 19 -> world.hear();
                case 12 -> away = rare() != away;
                case 13, 14, 15 -> room.push(random.nextLong(room.pushed, room.head() + 1));
                case 16 -> world.nanos += TimeUnit.MILLISECONDS.toNanos(random.nextLong(4000));
                case 17 -> pushAll();
                case 18 -> room.ring.dropBefore(random.nextLong(room.head() + 1));
                default -> checkedAnswer(room);
            }
        }

        private void own(Room room) {
            if (room.isJoined()) {
                room.message(ADA, thread(), false, false);
            }
        }

        private void read(Room room, @Nullable String thread) {
            if (room.isJoined()) {
                room.read(random.nextBoolean() ? "m.read" : "m.read.private", thread, event(room));
            }
        }

        private void member(Room room) {
            if (room.isJoined()) {
                room.leave();
            } else {
                room.join();
            }
        }

        private void rulesOrIgnored() {
            if (random.nextBoolean()) {
                world.changeRules();
            } else {
                world.changeIgnored();
            }
        }

        private boolean rare() {
            return random.nextInt(4) == 0;
        }

        private @Nullable String thread() {
            int which = random.nextInt(4);
            return which < THREADS.size() ? THREADS.get(which) : null;
        }

        private long event(Room room) {
            long pos = random.nextLong(1, room.head() + 1);
            while (!(room.log.get((int) pos - 1) instanceof Event) && pos > 1) {
                pos--;
            }
            return pos;
        }

        private void pushAll() {
            world.hear();
            world.rooms.forEach(each -> each.push(each.head()));
        }

        private void checkedAnswer(Room room) {
            if (!room.isJoined()) {
                return;
            }
            var told = answer(List.of(room));
            if (!world.unread.isUnsettled()) {
                check(told, world.heads().toArray());
            }
        }

        private Map<RoomId, Counts> answer(List<Room> rooms) {
            var told = world.answer(rooms, world.heads(), away);
            lastTold.putAll(told);
            return told;
        }

        private void check(Map<RoomId, Counts> told, long[] heads) {
            told.forEach((id, counts) -> {
                var room = world.rooms.stream()
                        .filter(each -> each.id.equals(id))
                        .toList()
                        .getFirst();
                assertThat(counts.threads())
                        .as("seed %d, after %d checks, room %s at %d", seed, checked, id, heads[room.shard])
                        .isEqualTo(room.count(heads[room.shard], null));
                checked++;
            });
        }
    }

    @Test
    void anEventIsCountedInTheAnswerThatTellsIt() {
        var room = room();
        push(room);
        assertThat(told(room)).isEmpty();
        room.message(BOB, null, false, true);
        assertThat(told(room)).containsExactly(Map.entry("main", new Tally(1, 1)));
    }

    @Test
    void whatWasCountedBehindWhereARequestHasLookedIsAskedForOnceMore() {
        world.addRoom(1000);
        var room = world.rooms.getFirst();
        push(room);
        var before = world.heads();
        for (int i = 0; i < 150; i++) {
            room.message(EVE, null, false, false);
        }
        assertThat(told(room)).containsExactly(Map.entry("main", new Tally(150, 0)));
        room.ring.dropBefore(Long.MAX_VALUE);
        world.changeIgnored();
        world.hear();
        world.nanos += TimeUnit.SECONDS.toNanos(10);
        world.answerLate(List.of(room), before);
        push(room);
        world.nanos += TimeUnit.SECONDS.toNanos(10);
        assertThat(told(room)).isEmpty();
        assertThat(world.unread.isUnsettled()).isFalse();
    }

    private Room room() {
        world.addRoom(100);
        return world.rooms.getFirst();
    }

    private static void push(Room room) {
        room.push(room.head());
    }

    private Map<String, Tally> told(Room room) {
        return told(room, room.head(), false);
    }

    private Map<String, Tally> told(Room room, long upto, boolean away) {
        return java.util.Objects.requireNonNull(
                        world.answer(List.of(room), Positions.of(upto), away).get(room.id))
                .threads();
    }
}
