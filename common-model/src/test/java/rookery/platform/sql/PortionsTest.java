// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class PortionsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1_000, 1_001, 2_000, 10_003})
    void everyRowIsWrittenOnceAndInOrder(int count) {
        var rows = IntStream.range(0, count).boxed().toList();
        var statements = new ArrayList<List<Integer>>();

        Portions.each(rows, portion -> Mono.fromRunnable(() -> statements.add(portion)))
                .block();

        assertThat(statements.stream().flatMap(List::stream)).isEqualTo(rows);
        assertThat(statements).hasSize((count + 999) / 1_000).allMatch(portion -> portion.size() <= 1_000);
    }
}
