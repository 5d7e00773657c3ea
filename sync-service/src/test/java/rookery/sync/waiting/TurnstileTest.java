package rookery.sync.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import rookery.model.error.ApiException;

class TurnstileTest {
    private final Turnstile turnstile = new Turnstile(1, 2);
    private final List<String> began = new ArrayList<>();

    @Test
    void theNextBeginsWhenOneHasEnded() {
        var first = Sinks.<String>one();
        var second = Sinks.<String>one();
        turnstile.pass(work("first", first)).subscribe();
        turnstile.pass(work("second", second)).onErrorComplete().subscribe();
        assertThat(began).containsExactly("first");
        first.tryEmitValue("done");
        assertThat(began).containsExactly("first", "second");
        second.tryEmitError(new IllegalStateException("failed"));
        StepVerifier.create(turnstile.pass(Mono.just("third")))
                .expectNext("third")
                .verifyComplete();
    }

    @Test
    void whoGivesUpLeavesTheLine() {
        var first = Sinks.<String>one();
        var running = turnstile.pass(work("first", first)).subscribe();
        var waiting = turnstile.pass(work("second", Sinks.one())).subscribe();
        turnstile.pass(work("third", Sinks.one())).subscribe();
        waiting.dispose();
        running.dispose();
        assertThat(began).containsExactly("first", "third");
    }

    @Test
    void tooManyAreToldToComeBack() {
        for (int i = 0; i < 3; i++) {
            turnstile.pass(work("work", Sinks.one())).subscribe();
        }
        StepVerifier.create(turnstile.pass(Mono.just("no")))
                .verifyErrorSatisfies(
                        failure -> assertThat(((ApiException) failure).status).isEqualTo(503));
    }

    private Mono<String> work(String name, Sinks.One<String> end) {
        return Mono.defer(() -> {
            began.add(name);
            return end.asMono();
        });
    }
}
