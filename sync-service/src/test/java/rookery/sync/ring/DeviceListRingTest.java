// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;

class DeviceListRingTest {
    private static final TenantId TENANT = new TenantId(1);
    private static final UserId ADA = new UserId("@ada:s");
    private static final UserId BOB = new UserId("@bob:s");
    private static final int SHARD = 3;

    private final DeviceListRing ring = new DeviceListRing();

    @Test
    void whoSharesARoomFindsWhatChangedBetweenTwoPositions() {
        ring.add(SHARD, 5, TENANT, ADA, List.of(1L, 2L));
        ring.add(SHARD, 7, TENANT, BOB, List.of(2L));
        assertThat(changed(0, 9, 2L)).containsExactlyInAnyOrder(ADA, BOB);
        assertThat(changed(0, 9, 1L, 8L)).containsExactly(ADA);
        assertThat(changed(5, 6, 2L)).isEmpty();
        assertThat(changed(0, 9, 3L)).isEmpty();
        assertThat(ring.view().changed(SHARD, 0, 9, new TenantId(2), Set.of(2L)))
                .isEmpty();
        assertThat(ring.view().hasNewsAfter(SHARD, 6)).isTrue();
        assertThat(ring.view().hasNewsAfter(SHARD, 7)).isFalse();
        assertThat(ring.view().hasNewsAfter(SHARD + 1, 0)).isFalse();
    }

    @Test
    void whatItForgotOrMissedIsNeverTakenForNothing() {
        var rooms = LongStream.range(0, 500).boxed().toList();
        for (int pos = 1; pos <= 100; pos++) {
            ring.add(SHARD, pos, TENANT, ADA, rooms);
        }
        assertThat(changed(0, 100, 1L)).isNull();
        assertThat(changed(90, 100, 1L)).hasSize(10);
        ring.miss(SHARD, 101);
        assertThat(changed(100, 101, 1L)).isNull();
        assertThat(changed(101, 101, 1L)).isEmpty();
    }

    @Test
    void whoLooksWhileFollowingBeginsAnewKeepsToWhatThereWas() {
        ring.add(SHARD, 5, TENANT, ADA, List.of(1L));
        var before = ring.view();
        ring.begin(Positions.zero(Shards.COUNT).with(SHARD, 4));
        assertThat(before.changed(SHARD, 0, 9, TENANT, Set.of(1L))).containsExactly(ADA);
        assertThat(changed(0, 9, 1L)).isNull();
        assertThat(changed(4, 9, 1L)).isEmpty();
    }

    private @org.jspecify.annotations.Nullable List<UserId> changed(long after, long upto, Long... rooms) {
        return ring.view().changed(SHARD, after, upto, TENANT, Set.of(rooms));
    }
}
