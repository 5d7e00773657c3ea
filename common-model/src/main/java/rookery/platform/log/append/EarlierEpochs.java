// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import rookery.model.token.Positions;

/**
 * The ends of the earlier epochs of a log (design.md 12, Lost commits). A new epoch begins after lost commits, and the entries up
 * to its beginning stay valid.
 *
 * @param ends the last valid position of an epoch, by shard; an epoch without an end here is too old
 */
public record EarlierEpochs(Map<Long, Positions> ends) {
    public static final EarlierEpochs NONE = new EarlierEpochs(Map.of());

    /**
     * The beginning of an epoch on one shard.
     *
     * @param pos the last valid position of the previous epoch
     * @param previous the previous epoch; epochs increase, but not by one
     */
    record EpochStart(long epoch, int shard, long pos, long previous) {}

    /**
     * Follows the chain of epochs backwards, as far as it is known.
     *
     * @param current the current epoch
     * @param beginnings all shards' beginnings of the current and earlier epochs
     */
    static EarlierEpochs of(long current, List<EpochStart> beginnings) {
        var begun = beginnings.stream().collect(Collectors.groupingBy(EpochStart::epoch));
        var ends = new TreeMap<Long, Positions>();
        Positions end = null;
        for (var epoch = begun.get(current); epoch != null; epoch = begun.get(epoch.getFirst().previous)) {
            long[] positions = new long[epoch.size()];
            epoch.forEach(each -> positions[each.shard] = each.pos);
            var here = Positions.of(positions);
            end = end == null ? here : end.min(here);
            ends.put(epoch.getFirst().previous, end);
        }
        return new EarlierEpochs(ends);
    }

    /** Whether all entries of that epoch up to these positions are still valid. */
    public boolean hold(long epoch, Positions positions) {
        var end = ends.get(epoch);
        return end != null && end.shards() == positions.shards() && end.isAtLeast(positions);
    }

    /** Whether the entries of that epoch in one shard up to this position are still valid. */
    public boolean hold(long epoch, int shard, long pos) {
        var end = ends.get(epoch);
        return end != null && shard < end.shards() && end.at(shard) >= pos;
    }
}
