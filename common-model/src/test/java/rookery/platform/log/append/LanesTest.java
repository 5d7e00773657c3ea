// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import rookery.platform.log.append.Lanes.Bounds;
import rookery.platform.log.append.Lanes.TakenDrafts;

class LanesTest {
    private final Lanes<Integer> lanes = new Lanes<>(2, new Bounds(1, 2, 4));

    @Test
    void draftsThatAreGivenBackTwiceKeepTheirOrder() {
        for (int draft = 1; draft <= 4; draft++) {
            lanes.add(0, 1, "a", draft);
        }
        var first = Objects.requireNonNull(lanes.next());
        lanes.giveBack(lanes.take(first, List.of(0)));
        lanes.end(first);
        for (int draft = 5; draft <= 8; draft++) {
            lanes.add(1, 1, "a", draft);
        }
        var second = Objects.requireNonNull(lanes.next());
        var half = lanes.take(second, List.of(0, 1));
        assertThat(drafts(half, 0)).containsExactly(1, 2);
        lanes.giveBack(half);

        assertThat(drafts(lanes.take(second, List.of(0)), 0)).containsExactly(1, 2, 3, 4);
    }

    private static List<Integer> drafts(List<TakenDrafts<Integer>> batch, int shard) {
        var drafts = new ArrayList<Integer>();
        batch.stream().filter(taken -> taken.shard() == shard).forEach(taken -> drafts.addAll(taken.drafts()));
        return drafts;
    }
}
