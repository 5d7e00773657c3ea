// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class TurnsTest {
    private final Turns<String> turns = new Turns<>();
    private final List<String> begun = new ArrayList<>();

    @Test
    void whoWantsTheSameWaitsForItsEnd() {
        var first = Sinks.<Void>empty();
        var second = Sinks.<Void>empty();
        turns.inTurn("a", work("first", first)).subscribe();
        turns.inTurn("a", work("second", second)).subscribe();
        turns.inTurn("a", work("third", Sinks.empty())).subscribe();
        turns.inTurn("b", work("other", Sinks.empty())).subscribe();
        assertThat(begun).containsExactly("first", "other");
        first.tryEmitEmpty();
        assertThat(begun).containsExactly("first", "other", "second");
        second.tryEmitEmpty();
        assertThat(begun).containsExactly("first", "other", "second", "third");
    }

    @Test
    void failureEndsATurn() {
        var first = Sinks.<Void>empty();
        turns.inTurn("a", work("first", first)).onErrorComplete().subscribe();
        turns.inTurn("a", work("second", Sinks.empty())).subscribe();
        first.tryEmitError(new IllegalStateException("no"));
        assertThat(begun).containsExactly("first", "second");
    }

    @Test
    void whoGivesUpIsNotWaitedFor() {
        var running = turns.inTurn("a", work("first", Sinks.empty())).subscribe();
        turns.inTurn("a", work("second", Sinks.empty())).subscribe();
        running.dispose();
        assertThat(begun).containsExactly("first", "second");
    }

    @Test
    void laterOnesDoNotWaitForWhatIsOver() {
        turns.inTurn("a", work("first", ended())).subscribe();
        turns.inTurn("a", work("second", Sinks.empty())).subscribe();
        assertThat(begun).containsExactly("first", "second");
    }

    private Mono<Void> work(String name, Sinks.Empty<Void> end) {
        return Mono.defer(() -> {
            begun.add(name);
            return end.asMono();
        });
    }

    private static Sinks.Empty<Void> ended() {
        var end = Sinks.<Void>empty();
        end.tryEmitEmpty();
        return end;
    }
}
