// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The clock moves only when the test moves it; a map is Redis. */
class PermitsTest {
    private static final long WINDOW_MS = 60_000;
    private static final Limit LIMIT = limit(100_000);

    private long now = 1;
    private final Permits permits = new Permits(() -> now);
    private final Map<String, Long> redis = new HashMap<>();
    private long questions;

    private static Limit limit(int max) {
        return new Limit(true, max, WINDOW_MS, List.of(), false, 0);
    }

    /** Whether the request is admitted, by a permit or by a question. */
    private boolean isAdmitted(Permits gateway, Limit limit) {
        if (gateway.use("w")) {
            return true;
        }
        questions++;
        int asked = gateway.ask("w", limit);
        long before = redis.getOrDefault("w", 0L);
        redis.put("w", Math.max(before, Math.min(before + asked, limit.maxRequests())));
        long count = before + 1;
        gateway.counted("w", asked, count, now, new SharedCount(count + asked - 1, WINDOW_MS, now));
        return count <= limit.maxRequests();
    }

    private int giveBack(Permits gateway) {
        int given = 0;
        for (var unused : gateway.ended()) {
            given += unused.permits();
            redis.merge(unused.window(), (long) -unused.permits(), Long::sum);
        }
        return given;
    }

    @Test
    void mostRequestsOfABusyWindowAskNothing() {
        for (int i = 0; i < 20_000; i++) {
            assertThat(isAdmitted(permits, LIMIT)).isTrue();
            now += i % 5 == 0 ? 1 : 0;
        }
        assertThat(questions).isLessThan(200);
    }

    @Test
    void limitOfAThousandAMinuteIsCountedOneByOne() {
        for (int i = 0; i < 100; i++) {
            assertThat(permits.ask("w", limit(1000))).isOne();
        }
        assertThat(permits.use("w")).isFalse();
    }

    @Test
    void unusedPermitsAreGivenBackOnceAndNeverUsedAfterwards() {
        for (int i = 0; i < 40; i++) {
            isAdmitted(permits, LIMIT);
        }
        long counted = redis.getOrDefault("w", 0L);
        assertThat(counted).isGreaterThan(40);
        now += 1000;
        assertThat(permits.use("w")).isFalse();
        assertThat(giveBack(permits)).isEqualTo(counted - 40);
        assertThat(giveBack(permits)).isZero();
        assertThat(redis.get("w")).isEqualTo(40);
    }

    @Test
    void noPermitOutlivesItsWindow() {
        int asked = 1;
        for (int i = 0; i < 5; i++) {
            asked = permits.ask("w", LIMIT);
            permits.counted("w", asked, 1, now, new SharedCount(asked, WINDOW_MS, WINDOW_MS - 300));
            if (i < 4) {
                while (permits.use("w")) {
                    // used up, so that the next batch is larger
                }
            }
        }
        assertThat(asked).isGreaterThan(1);
        now += 299;
        assertThat(permits.use("w")).isTrue();
        now += 1;
        assertThat(permits.use("w")).isFalse();
    }

    @Test
    void onlyOneQuestionTakesABatchAndAFailedOneTakesNothing() {
        permits.ask("w", LIMIT);
        assertThat(permits.ask("w", LIMIT)).isEqualTo(2);
        assertThat(permits.ask("w", LIMIT)).isOne();
        permits.counted("w", 2, 0, now, null);
        assertThat(permits.use("w")).isFalse();
        assertThat(permits.ask("w", LIMIT)).isEqualTo(4);
    }

    /** Three gateways in random order, one of which crashes: never more than the limit, and with what it gave back exactly. */
    @Test
    void allGatewaysTogetherAdmitNeverMoreThanTheLimit() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            redis.clear();
            var limit = limit(1001 + random.nextInt(2000));
            var gateways = List.of(new Permits(() -> now), new Permits(() -> now), new Permits(() -> now));
            int admitted = 0;
            for (int i = 0; i < 6000; i++) {
                int gateway = i > 1500 && random.nextInt(50) > 0 ? random.nextInt(2) : random.nextInt(3);
                admitted += isAdmitted(gateways.get(gateway), limit) ? 1 : 0;
                now += random.nextInt(10) == 0 ? 1 + random.nextInt(60) : 0;
                if (random.nextInt(30) == 0) {
                    gateways.forEach(this::giveBack);
                }
            }
            assertThat(admitted).as("seed " + seed).isEqualTo(limit.maxRequests());
        }
    }
}
