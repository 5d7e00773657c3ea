// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;

class TurnsTest {
    private static final int LONGER_THAN_A_STACK = 20_000;

    private final Turns turns = new Turns();

    @Test
    void workThatEndsAtOnceStartsTheNextOutsideOfItself() {
        var done = new ArrayList<Integer>();
        var line = new ArrayDeque<Sinks.Empty<Void>>();
        var work = IntStream.range(0, LONGER_THAN_A_STACK).boxed().toList();
        for (int number : work) {
            Sinks.Empty<Void> turn = Sinks.empty();
            line.add(turn);
            var _ = turn.asMono()
                    .doOnSuccess(_ -> {
                        done.add(number);
                        if (!line.isEmpty()) {
                            turns.emit(line.remove());
                        }
                    })
                    .subscribe();
        }
        turns.emit(line.remove());
        assertThat(done).isEqualTo(work);
    }

    @Test
    void turnsAreEmittedInTheirOrder() {
        var done = new ArrayList<String>();
        turn("a", done, () -> {
            turn("b", done, () -> {});
            turn("c", done, () -> {});
            done.add("end of a");
        });
        assertThat(done).isEqualTo(List.of("a", "end of a", "b", "c"));
    }

    private void turn(String name, List<String> done, Runnable work) {
        Sinks.Empty<Void> turn = Sinks.empty();
        var _ = turn.asMono()
                .doOnSuccess(_ -> {
                    done.add(name);
                    work.run();
                })
                .subscribe();
        turns.emit(turn);
    }
}
