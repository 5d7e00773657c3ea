package rookery.platform.log.append;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import rookery.model.token.Positions;

/**
 * How far what was said in the earlier epochs of a log is still true (design.md 12, Lost commits): a new epoch begins where the
 * database had lost commits, and everything up to its beginning is what it was.
 *
 * @param ends the end of what is true of an epoch, by shard; an epoch that is not here is too long ago
 */
public record EarlierEpochs(Map<Long, Positions> ends) {
    public static final EarlierEpochs NONE = new EarlierEpochs(Map.of());

    /**
     * Where an epoch began on one shard.
     *
     * @param pos the last position that it took over from the epoch before
     * @param previous that epoch; the numbers of epochs rise, but not by one
     */
    record EpochStart(long epoch, int shard, long pos, long previous) {}

    /**
     * Goes back from epoch to epoch, as far as is known.
     *
     * @param current the epoch that holds now
     * @param beginnings of it and of those before it, each with all shards
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

    /** Whether what was known in that epoch up to these positions is still true. */
    public boolean hold(long epoch, Positions positions) {
        var end = ends.get(epoch);
        return end != null && end.shards() == positions.shards() && end.isAtLeast(positions);
    }

    /** The same for one shard. */
    public boolean hold(long epoch, int shard, long pos) {
        var end = ends.get(epoch);
        return end != null && shard < end.shards() && end.at(shard) >= pos;
    }
}
