// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;

class SlotsTest {
    private final Slots<String> slots = new Slots<>(2, () -> ApiException.unavailable("no slot is left"));
    private final Sinks.Empty<Void> end = Sinks.empty();

    @Test
    void oneMoreThanThereAreIsRefusedToItsOwnerOnly() {
        var _ = park();
        var _ = park();
        assertThat(park()).isCompletedExceptionally();
        assertThat(park()).isCompletedExceptionally();
        assertThat(slots.within("bob", end.asMono()).toFuture()).isNotDone();
    }

    @Test
    void howeverAWorkEndsItsSlotIsFree() {
        park().cancel(true);
        slots.within("ada", Mono.empty()).block();
        slots.within("ada", Mono.error(IllegalStateException::new))
                .onErrorComplete()
                .block();
        var _ = park();
        var last = park();
        assertThat(last).isNotDone();
        assertThat(park()).isCompletedExceptionally();
        end.tryEmitEmpty();
        assertThat(last).isCompleted();
        assertThat(slots.within("ada", Mono.never()).toFuture()).isNotDone();
    }

    private CompletableFuture<@Nullable Void> park() {
        return slots.within("ada", end.asMono()).toFuture();
    }
}
