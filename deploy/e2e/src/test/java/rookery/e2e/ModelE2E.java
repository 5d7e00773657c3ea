package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.e2e.model.Model;
import rookery.e2e.running.Rookery;

/** That {@code deploy/e2e/model} can fail: it plays random conversations whose every answer is known beforehand. */
@ExtendWith(ClusterExtension.class)
class ModelE2E {
    private static final int STEPS = 40;
    private static final int AT_ONCE = 4;

    private final Model model;

    ModelE2E(Rookery rookery) {
        this.model = new Model(rookery, List.of("localhost", ClusterExtension.SECOND_TENANT), STEPS, AT_ONCE, true);
    }

    /** The others are tried by {@code deploy/e2e/sabotages}. */
    @ParameterizedTest
    @ValueSource(strings = {"never-limited", "redacted-body", "miscount"})
    void aSpoiltNodeIsCaught(String fault) throws IOException {
        assertThat(model.spoilt(fault, LongStream.rangeClosed(201, 212))).isNotNull();
    }
}
