// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.LinkedMultiValueMap;
import rookery.model.error.ApiException;
import rookery.sync.answer.SyncQuery.RoomState;

class SyncQueryTest {
    @Test
    void nothingAskedMeansNow() {
        var query = SyncQuery.of(new LinkedMultiValueMap<>());
        assertThat(query).isEqualTo(new SyncQuery(null, null, Duration.ZERO, false, RoomState.BEFORE, "online"));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "30000,30000", "30001,30000", "99999999,30000", "99999999999999999999999,30000"})
    void timeoutIsAtMostThirtySeconds(String text, long millis) {
        assertThat(query("timeout", text).timeout()).hasMillis(millis);
    }

    @ParameterizedTest
    @CsvSource({
        "timeout,-1",
        "timeout,1.5",
        "timeout,NaN",
        "timeout,''",
        "timeout,+1",
        "full_state,1",
        "full_state,TRUE",
        "use_state_after,yes",
        "org.matrix.msc4222.use_state_after,yes",
        "set_presence,busy"
    })
    void whatIsNoValueIsRefused(String name, String text) {
        assertThatThrownBy(() -> query(name, text)).isInstanceOf(ApiException.class);
    }

    @Test
    void stateAfterIsAskedForByItsNameOrTheOneOfBefore() {
        var unstable = "org.matrix.msc4222.use_state_after";
        assertThat(query("use_state_after", "true").state()).isEqualTo(RoomState.AFTER);
        assertThat(query("use_state_after", "false").state()).isEqualTo(RoomState.BEFORE);
        assertThat(query(unstable, "true").state()).isEqualTo(RoomState.AFTER_UNSTABLE);
        assertThat(query(unstable, "false").state()).isEqualTo(RoomState.BEFORE);
        var both = new LinkedMultiValueMap<String, String>();
        both.add(unstable, "true");
        both.add("use_state_after", "true");
        assertThat(SyncQuery.of(both).state()).isEqualTo(RoomState.AFTER);
    }

    private static SyncQuery query(String name, String value) {
        var params = new LinkedMultiValueMap<String, String>();
        params.add(name, value);
        return SyncQuery.of(params);
    }
}
