// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.fault;

import java.lang.reflect.AccessibleObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.sync.answer.Poll;
import rookery.sync.inbox.ListedRoom;
import rookery.sync.ring.RingEvent;
import rookery.sync.ring.RoomPart;
import rookery.sync.ring.RoomRing;
import rookery.sync.sliding.Connections.StoredState;
import rookery.sync.unread.Counts.Tally;
import rookery.sync.waiting.Wake;

/**
 * The faulty behaviour of a broken sync node. Each method has the name of its {@link SyncFault} and the parameters of the
 * replaced call.
 */
public final class Replacements {
    private static final int EVERY = 50;
    private static final int KEPT = 2;
    /** Long enough for a client to observe the fault. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final Duration LATE = Duration.ofMillis(300);

    private Replacements() {}

    public static void skip(RoomRing ring, RingEvent event, long nanos) {
        if (event.pos() % EVERY != 0) {
            ring.add(event, nanos);
        }
    }

    public static void twice(RoomRing ring, RingEvent event, long nanos) {
        ring.add(event, nanos);
        if (event.pos() % EVERY == 0) {
            addWithoutLooking(ring, event, nanos);
        }
    }

    public static void redactedBody(RoomRing ring, RingEvent event, long nanos) {
        if (event.event().meta().redacts() == null) {
            ring.add(event, nanos);
        } else {
            addWithoutLooking(ring, event, nanos);
        }
    }

    public static void shortRing(RoomRing ring, RingEvent event, long nanos) {
        ring.add(event, nanos);
        synchronized (ring) {
            try {
                var bytes = opened(RoomRing.class.getDeclaredField("bytes"));
                var entries = entries(ring);
                while (entries.size() > KEPT) {
                    var gone = entries.removeFirst();
                    int size = (int)
                            opened(gone.getClass().getDeclaredMethod("bytes")).invoke(gone);
                    bytes.setLong(ring, bytes.getLong(ring) - size);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void cutUnit(Object feed, List<?> entries, int shard, long settledTo) {
        try {
            var take = opened(feed.getClass().getDeclaredMethod("take", List.class, int.class, long.class));
            if (entries.size() > 1) {
                for (var each : entries) {
                    var entry =
                            opened(each.getClass().getDeclaredMethod("entry")).invoke(each);
                    var pos = entry.getClass().getMethod("pos").invoke(entry);
                    take.invoke(feed, List.of(each), shard, pos);
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
            take.invoke(feed, entries, shard, settledTo);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static Mono<Wake> lateListener(Poll poll) {
        return Mono.delay(LATE).then(Mono.defer(poll.waiter::listening));
    }

    public static boolean neverLimited(RoomPart room) {
        return false;
    }

    public static int miscount(Tally tally) {
        return Math.max(0, tally.notifications() - 1);
    }

    public static void forgottenRoom(Object plan, ListedRoom room, Object sent, long from) {}

    public static @Nullable StoredState overwrittenState(Object states, Object connection, long number) {
        try {
            StoredState newest = null;
            var byKey = (Map<?, ?>)
                    opened(states.getClass().getDeclaredField("states")).get(states);
            synchronized (states) {
                for (var state : byKey.entrySet()) {
                    var key = state.getKey();
                    var of = opened(key.getClass().getDeclaredMethod("connection"))
                            .invoke(key);
                    newest = of.equals(connection) ? (StoredState) state.getValue() : newest;
                }
            }
            return newest;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void addWithoutLooking(RoomRing ring, RingEvent event, long nanos) {
        synchronized (ring) {
            try {
                var constructor = Arrays.stream(RoomRing.class.getDeclaredClasses())
                        .filter(inner -> inner.getSimpleName().equals("Entry"))
                        .findFirst()
                        .orElseThrow()
                        .getDeclaredConstructor(RingEvent.class, long.class);
                entries(ring).add(opened(constructor).newInstance(event, nanos));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static ArrayDeque<Object> entries(RoomRing ring) throws ReflectiveOperationException {
        return (ArrayDeque<Object>)
                opened(RoomRing.class.getDeclaredField("entries")).get(ring);
    }

    private static <T extends AccessibleObject> T opened(T member) {
        member.setAccessible(true);
        return member;
    }
}
