// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.model.token.Positions;
import rookery.platform.log.append.EarlierEpochs.EpochStart;

class EarlierEpochsTest {
    private static final List<EpochStart> BEGINNINGS = List.of(
            new EpochStart(2, 0, 10, 1),
            new EpochStart(2, 1, 20, 1),
            new EpochStart(30, 0, 15, 2),
            new EpochStart(30, 1, 5, 2));

    private final EarlierEpochs earlier = EarlierEpochs.of(30, BEGINNINGS);

    @Test
    void anEpochHoldsUpToWhereTheNextOneBegan() {
        assertThat(earlier.hold(2, Positions.of(15, 5))).isTrue();
        assertThat(earlier.hold(2, Positions.of(16, 5))).isFalse();
        assertThat(earlier.hold(2, 1, 6)).isFalse();
    }

    @Test
    void whatALaterEpochHasLostIsLostToAllBeforeIt() {
        assertThat(earlier.hold(1, Positions.of(10, 5))).isTrue();
        assertThat(earlier.hold(1, Positions.of(10, 6))).isFalse();
        assertThat(earlier.hold(1, 0, 11)).isFalse();
    }

    @Test
    void anEpochThatNobodyKnowsHoldsNothing() {
        assertThat(earlier.hold(0, Positions.of(0, 0))).isFalse();
        assertThat(earlier.hold(29, Positions.of(0, 0)))
                .as("an epoch of a life that a restore has undone")
                .isFalse();
        assertThat(EarlierEpochs.NONE.hold(1, 0, 0)).isFalse();
    }

    @Test
    void nothingIsKnownAcrossAnEpochWhoseBeginningIsNot() {
        assertThat(EarlierEpochs.of(31, BEGINNINGS)).isEqualTo(EarlierEpochs.NONE);
        assertThat(EarlierEpochs.of(2, BEGINNINGS).ends()).containsOnlyKeys(1L);
    }
}
