// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendQueueTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int LEAST = 64;
    private static final int MOST = 500;
    private static final long TARGET = 300 * MS;
    /** Sends that the service answers in a second. */
    private static final int CAPACITY = 800;

    private static final int ONE = 1;
    private static final int OTHER = 2;
    private static final Object FLOOD = "the client that sends most";

    private long now = Long.MAX_VALUE - 1000 * MS;
    private final SendQueue queue = new SendQueue(LEAST, MOST, TARGET, () -> now);

    @Test
    void burstThatIsAnsweredInTimeIsNotRefused() {
        for (int i = 0; i < MOST; i++) {
            assertThat(queue.enter(ONE, i)).isTrue();
        }
        assertThat(queue.enter(ONE, MOST)).isFalse();
        pass(50);
        long entered = now - 50 * MS;
        for (int i = 0; i < MOST; i++) {
            queue.leave(ONE, i, entered);
        }
        pass(100);
        assertThat(queue.enter(ONE, 0)).isTrue();
        assertThat(queue.limit()).isEqualTo(MOST);
    }

    @Test
    void oneShortWaitInAnIntervalShowsThatNoQueueStands() {
        for (int interval = 0; interval < 50; interval++) {
            assertThat(queue.enter(ONE, "slow")).isTrue();
            assertThat(queue.enter(ONE, "fast")).isTrue();
            queue.leave(ONE, "slow", now - 5000 * MS);
            queue.leave(ONE, "fast", now - MS);
            pass(301);
        }
        assertThat(queue.limit()).isEqualTo(MOST);
    }

    @Test
    void refusalsTellNothingAboutTheWait() {
        for (int i = 0; i < 100; i++) {
            assertThat(queue.enter(ONE, i)).isTrue();
        }
        for (int interval = 0; interval < 5; interval++) {
            queue.leave(ONE, interval, now - 2000 * MS);
            queue.leave(ONE, 50 + interval); // such as 429 after a millisecond
            pass(301);
            queue.enter(ONE, "next");
            queue.leave(ONE, "next");
        }
        assertThat(queue.limit()).isLessThan(100);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.9, 1.25, 1.5, 3})
    void serviceIsBusyAndAcceptedSendsWaitLessThanASecond(double load) {
        var run = new Run();
        run.load(load, 20_000, 0);
        double share = run.answered / (20.0 * CAPACITY);
        assertThat(share).isGreaterThan(Math.min(load, 1) * 0.95);
        assertThat(run.longestAfterTwoSeconds()).isLessThan(1000 * MS);

        run.idle(2000);
        int before = run.refused;
        run.load(0.9, 5_000, 0);
        assertThat(run.refused).as("two seconds after the load").isEqualTo(before);
        assertThat(queue.waiting()).isLessThan(CAPACITY);
    }

    @Test
    void excessOfOneClientIsRefusedFirst() {
        var run = new Run();
        run.load(3, 20_000, 0.9); // nine of ten sends are of one client
        assertThat(run.refusedOfOthers / (double) run.sentByOthers)
                .as("of %d sends of others", run.sentByOthers)
                .isLessThan(0.05);
        assertThat(run.refused).isGreaterThan(20 * CAPACITY / 2);
    }

    @Test
    void excessOfOneTenantIsRefusedFirst() {
        var run = new Run();
        run.isFloodOfMany = true;
        run.load(3, 20_000, 0.9);
        assertThat(run.refusedOfOthers / (double) run.sentByOthers)
                .as("of %d sends of another tenant", run.sentByOthers)
                .isLessThan(0.02);
        assertThat(run.refused).isGreaterThan(20 * CAPACITY / 2);
    }

    private void pass(long ms) {
        now += ms * MS;
    }

    /** A service that answers one send after the other. */
    private final class Run {
        private final Queue<Waiting> line = new ArrayDeque<>();
        private final ArrayList<Long> waits = new ArrayList<>();
        /** Whether the flood comes from all users of another tenant. */
        private boolean isFloodOfMany;

        private long freeAt = now;
        private int sent;
        private int sentByOthers;
        private int refusedOfOthers;
        private int answered;
        private int refused;

        private record Waiting(int tenant, Object client, long enteredAt) {}

        void load(double load, int ms, double flood) {
            long end = now + ms * MS;
            long pause = (long) (1e9 / (CAPACITY * load));
            while (end - now > 0) {
                answer();
                boolean isFlood = sent % 10 < flood * 10;
                Object client = isFlood && !isFloodOfMany ? FLOOD : (Object) (sent % 100);
                int tenant = isFlood && isFloodOfMany ? OTHER : ONE;
                sent++;
                sentByOthers += isFlood ? 0 : 1;
                if (queue.enter(tenant, client)) {
                    line.add(new Waiting(tenant, client, now));
                } else {
                    refused++;
                    refusedOfOthers += isFlood ? 0 : 1;
                }
                now += pause;
            }
        }

        void idle(int ms) {
            for (int i = 0; i < ms; i++) {
                answer();
                pass(1);
            }
        }

        private void answer() {
            while (!line.isEmpty()) {
                long begin = Math.max(freeAt, line.element().enteredAt);
                long doneAt = begin + TimeUnit.SECONDS.toNanos(1) / CAPACITY;
                if (doneAt - now > 0) {
                    return;
                }
                freeAt = doneAt;
                var done = line.remove();
                answered++;
                waits.add(now - done.enteredAt);
                queue.leave(done.tenant, done.client, done.enteredAt);
            }
        }

        long longestAfterTwoSeconds() {
            return waits.stream()
                    .skip(2 * CAPACITY)
                    .mapToLong(wait -> wait)
                    .max()
                    .orElse(0);
        }
    }
}
