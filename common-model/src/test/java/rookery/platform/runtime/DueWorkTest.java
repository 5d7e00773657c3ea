// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import rookery.testing.SetClock;

class DueWorkTest {
    private static final int LIMIT = 2;

    private final SetClock clock = new SetClock();
    private final DueWork work = new DueWork(clock);
    private final List<String> table = new ArrayList<>();
    private int queries;
    private boolean isAway;

    private List<String> look() {
        return work.look(LIMIT, Mono.defer(this::query)).blockOptional().orElseThrow();
    }

    private Mono<List<String>> query() {
        queries++;
        return isAway
                ? Mono.error(new IllegalStateException("away"))
                : Mono.fromSupplier(() -> List.copyOf(table.subList(0, Math.min(LIMIT, table.size()))));
    }

    @Test
    void theTableIsReadAtTheStartAfterNotesAndNowAndThen() {
        look();
        look();
        assertThat(queries).isEqualTo(1);
        work.note();
        work.note();
        look();
        look();
        assertThat(queries).isEqualTo(2);
        clock.advance(Duration.ofSeconds(10));
        look();
        assertThat(queries).isEqualTo(3);
    }

    @Test
    void workForLaterIsLookedForThen() {
        look();
        work.note(Duration.ofSeconds(4));
        work.note(Duration.ofSeconds(8));
        clock.advance(Duration.ofSeconds(3));
        look();
        assertThat(queries).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        look();
        assertThat(queries).isEqualTo(2);
        clock.advance(Duration.ofSeconds(4));
        look();
        assertThat(queries).as("an earlier note replaces no later one").isEqualTo(3);
        look();
        assertThat(queries).isEqualTo(3);
    }

    @Test
    void noLookIsEarlierThanTheWork() {
        clock.advance(Duration.ofMillis(50));
        look();
        work.note(Duration.ofMillis(10));
        clock.advance(Duration.ofMillis(9));
        look();
        assertThat(queries).isEqualTo(1);
        clock.advance(Duration.ofMillis(41));
        look();
        assertThat(queries).isEqualTo(2);
    }

    /** The row of a note that comes while a query runs may be missing in its result. */
    @Test
    void aNoteDuringAQueryLeadsToAnotherQuery() {
        work.look(LIMIT, Mono.fromSupplier(() -> {
                    work.note();
                    return List.of();
                }))
                .block();
        look();
        assertThat(queries).isEqualTo(1);
    }

    @Test
    void aFullResultLeadsToAnotherQuery() {
        table.addAll(List.of("a", "b", "c"));
        assertThat(look()).hasSize(LIMIT);
        assertThat(look()).hasSize(LIMIT);
        table.clear();
        assertThat(look()).isEmpty();
        look();
        assertThat(queries).isEqualTo(3);
    }

    @Test
    void aFailedQueryIsRepeated() {
        isAway = true;
        assertThatThrownBy(this::look).isInstanceOf(IllegalStateException.class);
        isAway = false;
        look();
        assertThat(queries).isEqualTo(2);
    }
}
