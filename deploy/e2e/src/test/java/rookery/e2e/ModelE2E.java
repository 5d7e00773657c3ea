package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.e2e.load.Kills;
import rookery.e2e.model.Model;
import rookery.e2e.model.Verdict;
import rookery.e2e.running.Rookery;

/** The short forms of {@code deploy/e2e/model}: random conversations whose every answer is known beforehand. */
@ExtendWith(ClusterExtension.class)
class ModelE2E {
    private static final int STEPS = 40;
    private static final int AT_ONCE = 4;
    private static final int SEEDS = 24;
    private static final int SEEDS_WITH_FAULTS = 4;

    private final Rookery rookery;
    private final Model model;

    ModelE2E(Rookery rookery) {
        this.rookery = rookery;
        this.model = new Model(rookery, List.of("localhost", ClusterExtension.SECOND_TENANT), STEPS, AT_ONCE);
    }

    @Test
    void everyAnswerIsWhatTheModelSays() throws IOException {
        var verdicts = model.play(LongStream.rangeClosed(1, SEEDS), Duration.ofMinutes(5), List.of(), _ -> {});

        assertFine(verdicts);
        assertThat(verdicts).hasSize(SEEDS);
        assertThat(verdicts).allSatisfy(verdict -> assertThat(verdict.answers()).isPositive());
        assertThat(verdicts.stream().mapToInt(Verdict::gaps).sum()).isPositive();
    }

    @Test
    void nothingIsLostDoubledOrReorderedWhenProcessesAreKilled() throws IOException {
        var victims = List.of("room-service-1", "kafka-1", "sync-service-2", "postgres-1");
        var kills = Kills.random(rookery, 7, victims.size(), Duration.ofSeconds(8), victims, System.out::println);

        assertFine(model.playBeside(kills, LongStream.rangeClosed(101, 100 + SEEDS_WITH_FAULTS)));
    }

    /** The others are tried by {@code deploy/e2e/sabotages}. */
    @ParameterizedTest
    @ValueSource(strings = {"never-limited", "short-ring", "redacted-body"})
    void aSpoiltNodeIsCaught(String fault) throws IOException {
        assertThat(model.spoilt(fault, LongStream.rangeClosed(201, 212))).isNotNull();
    }

    private static void assertFine(List<Verdict> verdicts) {
        assertThat(verdicts)
                .filteredOn(verdict -> !verdict.isFine())
                .as("again: deploy/e2e/model --first SEED --seeds 1 --steps %d", STEPS)
                .isEmpty();
        System.out.printf(
                "%d conversations, %d events, %d answers, %d gaps%n",
                verdicts.size(),
                verdicts.stream().mapToInt(Verdict::events).sum(),
                verdicts.stream().mapToInt(Verdict::answers).sum(),
                verdicts.stream().mapToInt(Verdict::gaps).sum());
    }
}
