package rookery.platform.health;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tells the gateway and the launcher whether this instance can do its work. */
@RestController
class ReadyApi {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Mono<Ready> ready;
    private final AtomicBoolean draining = new AtomicBoolean();

    ReadyApi(List<ReadinessCheck> checks) {
        this.ready = Flux.fromIterable(checks)
                .flatMap(ReadyApi::result)
                .collectList()
                .map(Ready::of)
                .cache(Duration.ofSeconds(1)); // however often it is asked, the stores are asked once a second
    }

    @GetMapping("/internal/ready")
    Mono<ResponseEntity<Ready>> ready() {
        return ready.map(state -> ResponseEntity.status(state.ready && !draining.get() ? 200 : 503)
                .body(state));
    }

    @EventListener
    void on(ContextClosedEvent closed) {
        draining.set(true);
    }

    private static Mono<Result> result(ReadinessCheck check) {
        return check.check()
                .cache() // who does not wait any longer does not cancel it: a cancelled query can spoil its connection
                .timeout(PATIENCE)
                .thenReturn(new Result(check.name(), "ok", true))
                .onErrorReturn(new Result(check.name(), check.required() ? "error" : "degraded", !check.required()));
    }

    record Result(String name, String text, boolean passed) {}

    /** What was found, by the name of the check: {@code ok}, {@code degraded} or {@code error}. */
    record Ready(boolean ready, Map<String, String> checks) {
        static Ready of(List<Result> results) {
            var texts = new TreeMap<String, String>();
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
