// SPDX-License-Identifier: Apache-2.0
package rookery.platform.health;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.platform.disk.DiskWatch;

/** The state of a service's dependencies, checked at most once a second while the service is ready. */
@Component
class Readiness {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** Everybody waits for a service that is about to be ready. */
    private static final Duration FRESH_UNREADY = Duration.ofMillis(100);

    private final Mono<Ready> ready;

    @Autowired
    Readiness(List<ReadinessCheck> checks, DiskWatch disks) {
        this(checks, disks::checks);
    }

    /** @param disks the states of disks, by the name of the check */
    Readiness(List<ReadinessCheck> checks, Supplier<Map<String, String>> disks) {
        this.ready = Flux.fromIterable(checks)
                .flatMap(Readiness::result)
                .collectList()
                .map(results -> Ready.of(results, disks.get()))
                .cache(state -> state.ready() ? FRESH : FRESH_UNREADY, _ -> Duration.ZERO, () -> Duration.ZERO);
    }

    Mono<Ready> now() {
        return ready;
    }

    private static Mono<Result> result(ReadinessCheck check) {
        return check.check()
                .cache() // a timeout must not cancel the query: a cancelled query can break its connection
                .timeout(PATIENCE)
                .thenReturn(new Result(check.name(), "ok", true))
                .onErrorReturn(new Result(check.name(), check.required() ? "error" : "degraded", !check.required()));
    }

    private record Result(String name, String text, boolean passed) {}

    /** The results by the name of the check: {@code ok}, {@code degraded} or {@code error}. */
    record Ready(boolean ready, Map<String, String> checks) {
        /** @param disks the states of disks; a full disk leaves the service ready, because reads go on */
        private static Ready of(List<Result> results, Map<String, String> disks) {
            var texts = new TreeMap<>(disks);
            results.forEach(result -> texts.merge(result.name, result.text, Ready::worse));
            return new Ready(results.stream().allMatch(Result::passed), texts);
        }

        private static String worse(String a, String b) {
            return List.of("ok", "degraded", "error").indexOf(a)
                            > List.of("ok", "degraded", "error").indexOf(b)
                    ? a
                    : b;
        }
    }
}
