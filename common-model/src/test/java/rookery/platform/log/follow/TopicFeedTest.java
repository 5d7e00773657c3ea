// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import rookery.platform.log.append.LogState;

class TopicFeedTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int LARGE_BYTES = 1 << 20;

    private final MemoryBroker broker = new MemoryBroker("log", 4);
    private final List<Subscription> open = new ArrayList<>();

    private Subscription subscribe(Integer... shards) {
        var subscription = TopicFeed.subscribe("log", Set.of(shards), broker);
        open.add(subscription);
        return subscription;
    }

    @AfterEach
    void close() {
        open.forEach(Subscription::close);
    }

    private void publish(int shard, byte[] value) {
        broker.publish(shard, new RecordHeaders(), value);
    }

    /** Publishes to the last shard until the feed reads its topic. */
    private void awaitReading(Subscription ofShard3) {
        List<ConsumerRecord<String, byte[]>> polled = List.of();
        for (long end = System.nanoTime() + PATIENCE.toNanos(); polled.isEmpty() && System.nanoTime() < end; ) {
            if (broker.isAssigned(3)) {
                publish(3, new byte[0]);
            }
            polled = ofShard3.poll(Duration.ofMillis(10));
        }
        assertThat(polled).isNotEmpty();
    }

    private static int next(Subscription subscription, int number) {
        int polled = 0;
        for (long end = System.nanoTime() + PATIENCE.toNanos(); polled < number && System.nanoTime() < end; ) {
            polled += subscription.poll(PATIENCE).size();
        }
        return polled;
    }

    @Test
    void eachTailGetsTheRecordsOfItsShards() {
        var first = subscribe(0, 1, 2, 3);
        awaitReading(first);
        var second = subscribe(1);
        publish(0, new byte[0]);
        publish(1, new byte[0]);
        assertThat(next(first, 2)).isEqualTo(2);
        assertThat(next(second, 1)).isEqualTo(1);
        assertThat(broker.consumers()).isEqualTo(1);
    }

    @Test
    void aTailThatDoesNotTakeItsRecordsLosesOnlyItsOwn() {
        var reading = subscribe(0, 1, 2, 3);
        awaitReading(reading);
        var stuck = subscribe(0);
        int number = (int) (Subscription.WAITING_BYTES_MAX / LARGE_BYTES) + 2;
        for (int i = 0; i < number; i++) {
            publish(0, new byte[LARGE_BYTES]);
            assertThat(next(reading, 1)).isEqualTo(1);
        }
        assertThat(stuck.poll(PATIENCE)).hasSizeLessThan(number).isNotEmpty();
    }

    @Test
    void furtherShardsAreReadByANewConsumer() {
        var first = subscribe(3);
        awaitReading(first);
        var second = subscribe(3, 2);
        awaitReading(second);
        assertThat(broker.consumers()).isEqualTo(2);
        assertThat(broker.isAssigned(2)).isTrue();
        first.close();
        awaitReading(second);
        assertThat(broker.consumers()).isEqualTo(2);
    }

    @Test
    void afterTheLastTailTheNextOneBeginsAnew() {
        var first = subscribe(3);
        awaitReading(first);
        first.close();
        first.close();
        awaitReading(subscribe(3));
        assertThat(broker.consumers()).isEqualTo(2);
    }

    @Test
    void aWakeUpEndsOnePoll() {
        var tail = subscribe(0);
        tail.wakeUp();
        assertThat(tail.poll(PATIENCE)).isEmpty();
    }

    @Test
    void oneQuestionServesAllWhoAskedBeforeItWasSent() {
        var owner = new ScriptedOwner(2);
        var heads = new SharedHeads();
        long before = System.nanoTime();
        var first = heads.askedSince(before, owner.client());
        var second = heads.askedSince(before, owner.client());
        assertThat(second).isSameAs(first);
        assertThat(LogOwner.now(first.state())).isSameAs(LogOwner.now(second.state()));
        assertThat(owner.questions.get()).isEqualTo(1);
        var later = heads.askedSince(System.nanoTime(), owner.client());
        assertThat(later.askedNanos()).isGreaterThan(first.askedNanos());
        assertThat(LogOwner.now(later.state())).isNotNull();
        assertThat(owner.questions.get()).isEqualTo(2);
    }

    @Test
    void theAnswerOfAnotherInstallationsOwnerIsNotShared() {
        var owner = new ScriptedOwner(2);
        var other = new ScriptedOwner(2, "localhost:2");
        other.epoch = 2;
        var heads = new SharedHeads();
        long before = System.nanoTime();
        for (int i = 0; i < 2; i++) {
            var own = heads.askedSince(before, owner.client());
            var others = heads.askedSince(before, other.client());
            assertThat(LogOwner.now(own.state()).heads().epoch()).isEqualTo(1);
            assertThat(LogOwner.now(others.state()).heads().epoch()).isEqualTo(2);
        }
    }

    @Test
    void aFailedQuestionFailsForAllAndIsNotKept() {
        var owner = new ScriptedOwner(2);
        owner.away = true;
        var heads = new SharedHeads();
        long before = System.nanoTime();
        var failed = heads.askedSince(before, owner.client());
        assertThatThrownBy(() -> LogOwner.now(failed.state())).isInstanceOf(OwnerAwayException.class);
        owner.away = false;
        Mono<LogState> next =
                heads.askedSince(System.nanoTime(), owner.client()).state();
        assertThat(LogOwner.now(next).heads().epoch()).isEqualTo(1);
    }
}
