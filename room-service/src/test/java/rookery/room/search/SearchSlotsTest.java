// SPDX-License-Identifier: Apache-2.0
package rookery.room.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;

class SearchSlotsTest {
    private final SearchSlots slots = new SearchSlots(new SearchProperties(2));

    @Test
    void oneTooManyIsRefusedUntilAnotherEnds() {
        var first = Sinks.<String>one();
        var answered = slots.within(first.asMono()).toFuture();
        var hungUp = slots.within(Mono.never()).subscribe();
        assertThatThrownBy(() -> slots.within(Mono.just("third")).block())
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.status).isEqualTo(503));

        hungUp.dispose();
        assertThat(slots.within(Mono.just("third")).block()).isEqualTo("third");
        first.tryEmitValue("first");
        assertThat(answered).isCompletedWithValue("first");
        assertThatThrownBy(() -> slots.within(Mono.error(new IllegalStateException("failed")))
                        .block())
                .hasMessage("failed");
        assertThat(slots.within(Mono.just("fourth")).block()).isEqualTo("fourth");
    }
}
