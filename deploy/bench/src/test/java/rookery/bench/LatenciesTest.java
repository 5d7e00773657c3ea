// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void percentilesAreValuesThatWereMeasured() {
        var latencies = new Latencies();
        LongStream.rangeClosed(1, 200).forEach(millis -> latencies.add(millis * 1_000_000));
        assertThat(latencies.summary()).isEqualTo(new Latencies.Summary(200, 100, 180, 198, 200));
    }

    @Test
    void durationsUpToALimitAreCounted() {
        var latencies = new Latencies();
        LongStream.rangeClosed(1, 200).forEach(millis -> latencies.add(millis * 1_000_000));
        assertThat(latencies.within(100)).isEqualTo(100);
    }

    @Test
    void nothingMeasuredIsNothing() {
        assertThat(new Latencies().summary().count()).isZero();
    }
}
