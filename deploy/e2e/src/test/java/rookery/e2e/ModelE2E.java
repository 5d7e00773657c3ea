// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import rookery.e2e.model.Model;
import rookery.e2e.model.Verdict;
import rookery.e2e.running.Rookery;

/**
 * The short form of {@code deploy/e2e/model}: random conversations with known responses, and a proof that the model finds faults.
 * Eight seeds, with gaps in some responses; rare orders of events are left to the thousand seeds of {@code deploy/e2e/long}.
 */
@OnCluster
@Order(0) // takes longest
@Execution(ExecutionMode.CONCURRENT)
class ModelE2E {
    private static final int STEPS = 20;
    /** A spoilt node is caught sooner by fewer and longer ones. */
    private static final int STEPS_OF_SPOILT = 40;

    private static final int AT_ONCE = 4;
    private static final int SEEDS = 8;

    private final Rookery rookery;

    ModelE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    private Model model(int steps) {
        return new Model(rookery, List.of("localhost", SharedRookery.SECOND_TENANT), steps, AT_ONCE, true);
    }

    @Test
    void everyAnswerIsWhatTheModelSays() throws IOException {
        var verdicts = model(STEPS).play(LongStream.rangeClosed(1, SEEDS), Duration.ofMinutes(5), List.of(), _ -> {});

        assertThat(verdicts)
                .filteredOn(verdict -> !verdict.isFine())
                .as("again: deploy/e2e/model --first SEED --seeds 1 --steps %d", STEPS)
                .isEmpty();
        assertThat(verdicts).hasSize(SEEDS);
        assertThat(verdicts).allSatisfy(verdict -> assertThat(verdict.answers()).isPositive());
        assertThat(verdicts.stream().mapToInt(Verdict::gaps).sum()).isPositive();
    }

    /**
     * One broken node: it shows that the model can fail, in the checks of gaps. {@code LossE2E} has two more and two broken
     * databases; all faults, each against the model, are the long form {@code deploy/e2e/sabotages}.
     */
    @Test
    void aSpoiltNodeIsCaught() throws IOException {
        assertThat(model(STEPS_OF_SPOILT).spoilt("never-limited", LongStream.rangeClosed(201, 212)))
                .isNotNull();
    }
}
