// SPDX-License-Identifier: Apache-2.0
package rookery.platform.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class ReadinessTest {
    private final AtomicInteger questions = new AtomicInteger();

    @Test
    void serviceThatIsNotReadyIsAskedAgainUntilItIs() {
        var readiness = readiness(Mono.defer(() -> questions.incrementAndGet() < 3
                ? Mono.error(new IllegalStateException("not caught up yet"))
                : Mono.empty()));

        var ready = readiness
                .now()
                .filter(Readiness.Ready::ready)
                .repeatWhenEmpty(asked -> asked.delayElements(Duration.ofMillis(10)))
                .blockOptional();

        assertThat(ready).isPresent();
        assertThat(questions).hasValue(3);
    }

    @Test
    void questionsDuringACheckShareIt() {
        var check = Sinks.<Void>empty();
        var readiness = readiness(Mono.defer(() -> {
            questions.incrementAndGet();
            return check.asMono();
        }));

        var first = readiness.now().toFuture();
        var second = readiness.now().toFuture();
        check.tryEmitError(new IllegalStateException("not caught up yet")).orThrow();

        assertThat(first.join().ready()).isFalse();
        assertThat(second.join()).isEqualTo(first.join());
        assertThat(questions).hasValue(1);
    }

    private static Readiness readiness(Mono<Void> check) {
        return new Readiness(List.of(new ReadinessCheck("queue", true, check)), Map::of);
    }
}
