// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.model.id.DeviceId;
import rookery.sync.inbox.DeviceStates.KeyCounts;

class DeviceStatesTest {
    private static final DeviceId PHONE = new DeviceId("PHONE");
    private static final DeviceId DESK = new DeviceId("DESK");

    private final DeviceStates states = new DeviceStates();

    @Test
    void whatHappenedUnheardMayWaitUntilItWasAskedFor() {
        states.listen(10);
        assertThat(states.mayWait(PHONE, 9)).isTrue();
        assertThat(states.mayWait(PHONE, 10)).isFalse();

        states.takeAnswer(PHONE, 4, 0, 0);

        assertThat(states.mayWait(PHONE, 4)).isFalse();
        assertThat(states.mayWait(PHONE, 3)).as("an older token").isTrue();
        assertThat(states.mayWait(DESK, 4)).as("another device").isTrue();
    }

    @Test
    void aMessageWaitsForItsDeviceUntilThatIsBehindIt() {
        states.message(PHONE, 12);
        assertThat(states.mayWait(PHONE, 11)).isTrue();
        assertThat(states.mayWait(PHONE, 12)).isFalse();
        assertThat(states.mayWait(DESK, 11)).isFalse();
    }

    @Test
    void itIsSaidOnceThatTheDeviceHasThem() {
        assertThat(states.acknowledge(PHONE, 5)).as("what another node told").isTrue();
        assertThat(states.acknowledge(PHONE, 6)).as("nothing was told since").isFalse();
        states.takeAnswer(PHONE, 6, 8, 8);
        assertThat(states.acknowledge(PHONE, 8)).isTrue();
        assertThat(states.acknowledge(PHONE, 8)).isFalse();
        assertThat(states.acknowledge(PHONE, 9)).isFalse();
    }

    @Test
    void theNewestCountsHoldInWhateverOrderTheyCome() {
        states.counts(PHONE, counts(3), 7);
        states.installCounts(PHONE, counts(9), 6);
        assertThat(states.counts(PHONE)).isEqualTo(counts(3));
        assertThat(states.haveCountsChanged(PHONE, 6, 7)).isTrue();
        assertThat(states.haveCountsChanged(PHONE, 7, 9)).isFalse();

        states.forgetCounts();
        assertThat(states.counts(PHONE)).isNull();
        states.installCounts(PHONE, counts(2), 8);
        assertThat(states.counts(PHONE)).isEqualTo(counts(2));
        assertThat(states.haveCountsChanged(PHONE, 7, 9))
                .as("it was asked for, not told by the log")
                .isFalse();
    }

    private static KeyCounts counts(long count) {
        return new KeyCounts(Map.of("signed_curve25519", count), List.of());
    }
}
