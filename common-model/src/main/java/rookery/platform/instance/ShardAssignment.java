// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import rookery.model.id.Shards;

/**
 * Assigns the shards of a log to the instances of a service: a rendezvous hash that limits each instance to its share,
 * ceil(shards / instances) (design.md 12, Shards). Processes that know the same instances compute the same assignment. The
 * assignment is not a lock: a process with an older list of instances may work on a shard as well, and the database decides
 * between the two.
 */
final class ShardAssignment {
    private final List<Instance> byShard;

    private ShardAssignment(List<Instance> byShard) {
        this.byShard = byShard;
    }

    /** @param instances at least one */
    static ShardAssignment among(List<Instance> instances) {
        int share = (Shards.COUNT + instances.size() - 1) / instances.size();
        var taken = new HashMap<Instance, Integer>();
        var byShard = new ArrayList<Instance>();
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            var key = "shard " + shard;
            var best = instances.stream()
                    .filter(instance -> taken.getOrDefault(instance, 0) < share)
                    .max(Comparator.comparingLong(instance -> weight(instance, key)))
                    .orElseThrow();
            taken.merge(best, 1, Integer::sum);
            byShard.add(best);
        }
        return new ShardAssignment(byShard);
    }

    Instance of(int shard) {
        return byShard.get(shard);
    }

    /** The shards of the instance with that name. */
    Set<Integer> shardsOf(String name) {
        return IntStream.range(0, byShard.size())
                .filter(shard -> byShard.get(shard).name().equals(name))
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The rank of an instance for a key; the highest wins. */
    static long weight(Instance instance, String key) {
        var crc = new CRC32C();
        crc.update(instance.name().getBytes(StandardCharsets.UTF_8));
        crc.update('|');
        crc.update(key.getBytes(StandardCharsets.UTF_8));
        // CRC is linear: without mixing, two instances would rank alike for nearly all keys
        long mixed = crc.getValue() * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return (mixed ^ (mixed >>> 32)) >>> 1;
    }
}
