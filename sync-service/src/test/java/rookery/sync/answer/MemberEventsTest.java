// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.Thread.State;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.sync.answer.MemberEvents.LackingMember;
import rookery.sync.answer.MemberEvents.MembersFound;
import rookery.sync.answer.MemberEvents.WantedMember;
import rookery.sync.ring.RingBudget;
import rookery.sync.ring.RoomRing;

class MemberEventsTest {
    private static final TenantId TENANT = new TenantId(1);
    private static final RoomId ROOM = new RoomId("!room:s");
    private static final LackingMember ADA = member("@ada:s");
    private static final LackingMember BOB = member("@bob:s");

    private final List<List<UserId>> calls = new CopyOnWriteArrayList<>();
    private final MemberEvents events = new MemberEvents(
            query -> {
                calls.add(query.members().stream().map(WantedMember::user).toList());
                return Mono.just(new MembersFound(1, List.of()));
            },
            new SimpleMeterRegistry());

    @Test
    void readerWhoComesWhileAnotherGathersItsMembersLeavesNoneOut() throws InterruptedException {
        var second = new AtomicReference<@Nullable Thread>();
        var members = new AbstractList<LackingMember>() {
            @Override
            public LackingMember get(int index) {
                if (index == 1) {
                    second.set(begin(() -> events.learn(TENANT, 1, List.of(ADA)).block()));
                }
                return index == 0 ? ADA : BOB;
            }

            @Override
            public int size() {
                return 2;
            }
        };

        events.learn(TENANT, 1, members).block();

        var thread = Objects.requireNonNull(second.get());
        thread.join();
        assertThat(calls.stream().flatMap(List::stream)).contains(BOB.user());
    }

    /** Starts a thread and waits until the thread has ended or waits. */
    private static Thread begin(Runnable work) {
        var thread = Thread.ofPlatform().start(work);
        while (thread.getState() != State.TERMINATED
                && thread.getState() != State.BLOCKED
                && thread.getState() != State.WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }

    private static LackingMember member(String user) {
        var ring = new RoomRing(100, 5, 1 << 20, new RingBudget(Long.MAX_VALUE));
        return new LackingMember(ring, ROOM, 1, new UserId(user), Long.MAX_VALUE, 100);
    }
}
