// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;

class LogTailTest {
    private static final String TOPIC = "log";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ScriptedOwner owner = new ScriptedOwner(2);
    private final MemoryBroker broker = new MemoryBroker(TOPIC, 2);
    private final MemoryFollower follower = new MemoryFollower();
    private volatile Set<Integer> assigned = Set.of(0, 1);
    private final LogTail tail = new LogTail(TOPIC, owner.client(), follower, broker, () -> assigned);

    @AfterEach
    void stop() {
        tail.close();
    }

    /** Keeps nothing, so it begins at position 0 of the log's epoch, and collects {@code shard:body}. */
    private static final class MemoryFollower implements LogFollower {
        final List<String> applied = new CopyOnWriteArrayList<>();
        final List<Long> epochs = new CopyOnWriteArrayList<>();
        /** The shards of each {@link #prepare}. */
        final List<List<Integer>> prepared = new CopyOnWriteArrayList<>();

        volatile Runnable beforeBegin = () -> {};
        volatile @Nullable Positions headsAtBegin;
        volatile Duration gathering = Duration.ZERO;
        volatile boolean fails;

        @Override
        public Duration gathering() {
            return gathering;
        }

        @Override
        public void prepare(List<Stretch> stretches) {
            prepared.add(stretches.stream().map(Stretch::shard).toList());
        }

        @Override
        public void beforeBegin() {
            beforeBegin.run();
        }

        @Override
        public Heads begin(LogState state) {
            headsAtBegin = state.heads().positions();
            epochs.add(state.heads().epoch());
            applied.clear();
            return new Heads(
                    state.heads().epoch(),
                    Positions.zero(state.heads().positions().shards()));
        }

        @Override
        public boolean wants(LogRecord bare) {
            return true;
        }

        @Override
        public void apply(Stretch stretch) {
            if (fails) {
                throw new IllegalStateException("fails");
            }
            stretch.entries().forEach(entry -> applied.add(entry.shard() + ":" + entry.body()));
        }
    }

    private void start() {
        tail.start();
        await(() -> tail.lastHeads() != null && assigned.stream().allMatch(broker::isAssigned));
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("waited for " + PATIENCE)
                    .isNegative();
            Thread.onSpinWait();
        }
    }

    private void awaitApplied(String... entries) {
        await(() -> follower.applied.size() >= entries.length);
        assertThat(follower.applied).containsExactly(entries);
    }

    @Test
    void recordsAreAppliedOnceAndInOrder() {
        start();
        var entries = owner.append(0, "a", "b", "c");
        for (int index : new int[] {1, 0, 0, 2, 1}) {
            broker.publish(entries.get(index));
        }
        awaitApplied("0:a", "0:b", "0:c");
    }

    @Test
    void theFollowerKnowsItsPositionsBeforeTheOwnerIsAsked() {
        follower.beforeBegin = () -> owner.append(0, "a");
        start();
        assertThat(follower.headsAtBegin).isEqualTo(Positions.of(1, 0));
    }

    /** Entries gather for longer than the test waits, unless the follower is expected to have them. */
    @Test
    void entriesOfSeveralShardsGatherAndArePreparedTogether() {
        follower.gathering = Duration.ofHours(1);
        start();
        owner.append(0, "0").forEach(broker::publish);
        awaitApplied("0:0"); // after a quiet moment at once
        for (int i = 1; follower.prepared.isEmpty(); i++) {
            owner.append(0, "a").forEach(broker::publish);
            owner.append(1, "b").forEach(broker::publish);
            tail.expect(Positions.of(i + 1, i));
            int count = 1 + 2 * i;
            await(() -> follower.applied.size() == count);
        }
        assertThat(follower.prepared).containsOnly(List.of(0, 1));
    }

    @Test
    void entriesThatWereNeverPublishedAreReadFromTheOwner() {
        start();
        owner.append(1, "a", "b", "c");
        awaitApplied("1:a", "1:b", "1:c");
        assertThat(tail.repairs()).isEqualTo(1);
    }

    @Test
    void aHoleIsReadFromTheOwner() {
        start();
        var entries = owner.append(0, "a", "b", "c");
        broker.publish(entries.get(2));
        awaitApplied("0:a", "0:b", "0:c");
        assertThat(tail.repairs()).isPositive();
    }

    @Test
    void expectedPositionsAreReachedWithoutKafka() {
        start();
        owner.append(0, "a");
        tail.expect(Positions.of(1, 0));
        awaitApplied("0:a");
    }

    @Test
    void aRecordOfAnUnknownFormatIsSkipped() {
        start();
        broker.publish(0, new RecordHeaders(), new byte[0]);
        owner.append(0, "a").forEach(broker::publish);
        awaitApplied("0:a");
        assertThat(tail.restarts()).isZero();
    }

    @Test
    void aNewEpochBeginsAnew() {
        owner.append(0, "a", "b");
        start();
        awaitApplied("0:a", "0:b");
        owner.loseAfter(0, 1, 7);
        owner.append(0, "c").forEach(broker::publish);
        await(() -> follower.epochs.size() == 2 && follower.applied.size() == 2);
        assertThat(follower.applied).containsExactly("0:a", "0:c");
        assertThat(follower.epochs).containsExactly(1L, 7L);
        assertThat(tail.restarts()).isEqualTo(1);
        assertThat(tail.earlier().hold(1, 0, 1)).isTrue();
        assertThat(tail.earlier().hold(1, 0, 2)).isFalse();
    }

    @Test
    void aFailedStretchIsFollowedAgain() {
        start();
        follower.fails = true;
        owner.append(0, "a").forEach(broker::publish);
        await(() -> tail.restarts() > 0);
        follower.fails = false;
        awaitApplied("0:a");
    }

    @Test
    void withoutTheOwnerRecordsAreAppliedAndHolesWait() {
        start();
        var entries = owner.append(0, "a", "b", "c");
        owner.away = true;
        broker.publish(entries.get(0));
        awaitApplied("0:a");
        broker.publish(entries.get(2));
        owner.away = false;
        awaitApplied("0:a", "0:b", "0:c");
        assertThat(tail.restarts()).isZero();
    }

    @Test
    void onlyAssignedShardsAreFollowed() {
        assigned = Set.of(1);
        owner.append(0, "a");
        owner.append(1, "b");
        start();
        awaitApplied("1:b");
        assigned = Set.of(0);
        await(() -> follower.applied.equals(List.of("0:a")));
        assertThat(tail.restarts()).isZero();
    }

    @Test
    void aLargeBacklogIsAppliedWithoutTheOwner() {
        start();
        var large = "x".repeat(1 << 19);
        var entries = owner.append(0, large, large, large, large, large, large, large, large);
        int before = owner.ranges;
        owner.away = true;
        broker.publish(entries);
        await(() -> follower.applied.size() == entries.size());
        assertThat(owner.ranges).isEqualTo(before);
    }

    /** Each tail has an owner's client of its own, as services in one process have. */
    @Test
    void tailsOfOneProcessShareAConsumerAndTheQuestionForTheHeads() {
        var second = new MemoryFollower();
        try (var other = new LogTail(TOPIC, owner.client(), second, broker, () -> Set.of(1))) {
            start();
            other.start();
            await(() -> other.lastHeads() != null);
            int before = owner.questions.get();
            var entries = owner.append(1, "a", "b");
            owner.append(0, "x").forEach(broker::publish);
            entries.forEach(broker::publish);
            await(() -> second.applied.equals(List.of("1:a", "1:b")));
            await(() -> follower.applied.size() == 3);
            await(() -> owner.questions.get() > before + 3);
            assertThat(broker.consumers()).isEqualTo(1);
        }
        owner.append(0, "y").forEach(broker::publish);
        await(() -> follower.applied.contains("0:y"));
        assertThat(broker.consumers()).isEqualTo(1);
    }

    @Test
    void anOwnerOfAnEarlierReleaseIsAskedForAllHeads() {
        owner.isOld = true;
        start();
        owner.append(0, "a");
        awaitApplied("0:a");
        owner.append(1, "b");
        awaitApplied("0:a", "1:b");
    }

    @Test
    void theTailIsReadyOnceItHasBegun() {
        owner.away = true;
        tail.start();
        assertThatThrownBy(() -> tail.checkBegun().block()).isInstanceOf(IllegalStateException.class);
        owner.away = false;
        await(() -> tail.lastHeads() != null);
        assertThatCode(() -> tail.checkBegun().block()).doesNotThrowAnyException();
    }
}
