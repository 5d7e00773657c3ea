// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.id.Shards;

class ShardAssignmentTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 16, 64, 80})
    void everyShardHasOneInstanceAndNoneHasMoreThanItsShare(int count) {
        var instances = instances(count);
        var assignment = ShardAssignment.among(instances);
        var seen = new ArrayList<Integer>();
        for (var instance : instances) {
            var own = assignment.shardsOf(instance.name());
            assertThat(own.size()).isLessThanOrEqualTo((Shards.COUNT + count - 1) / count);
            seen.addAll(own);
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(Shards.ALL);
    }

    @Test
    void orderInWhichInstancesAreFoundDoesNotMatter() {
        var instances = instances(3);
        var assignment = ShardAssignment.among(instances);
        var reversed = ShardAssignment.among(instances.reversed());
        assertThat(Shards.ALL)
                .allSatisfy(shard -> assertThat(reversed.of(shard)).isEqualTo(assignment.of(shard)));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void oneMoreInstanceMovesLittleMoreThanItsShare(int count) {
        var before = ShardAssignment.among(instances(count));
        var after = ShardAssignment.among(instances(count + 1));
        long moved = Shards.ALL.stream()
                .filter(shard -> !before.of(shard).equals(after.of(shard)))
                .count();
        assertThat(moved).isBetween(1L, 2L * Shards.COUNT / (count + 1));
    }

    @Test
    void instanceThatIsGoneLeavesItsShardsToAllOthers() {
        var instances = instances(4);
        var after = ShardAssignment.among(instances.subList(0, 3));
        var heirs = new HashSet<String>();
        ShardAssignment.among(instances)
                .shardsOf(instances.get(3).name())
                .forEach(shard -> heirs.add(after.of(shard).name()));
        assertThat(heirs).hasSizeGreaterThan(1);
    }

    private static List<Instance> instances(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> new Instance("push-service-" + i, "localhost:" + (9000 + i), null))
                .toList();
    }
}
