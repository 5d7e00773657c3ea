package rookery.platform.log;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import rookery.model.token.Positions;

/**
 * How far what was said in the earlier epochs of a log is still true (DESIGN.md 12, Lost commits): a new epoch begins where the
 * database had lost commits, and everything up to its beginning is what it was.
 *
 * @param ends the end of what is true of an epoch, by shard; an epoch that is not here is too long ago
 */
public record EarlierEpochs(Map<Long, Positions> ends) {
    public static final EarlierEpochs NONE = new EarlierEpochs(Map.of());

    /** Where an epoch began on one shard: the last position that it took over from the epoch before. */
    record Beginning(long epoch, int shard, long pos) {}

    /** @param beginnings of the current epoch and those before it, each with all shards */
    static EarlierEpochs of(List<Beginning> beginnings) {
        var begun = new TreeMap<Long, long[]>();
        int shards = beginnings.stream().mapToInt(Beginning::shard).max().orElse(-1) + 1;
        for (var each : beginnings) {
            begun.computeIfAbsent(each.epoch, _ -> new long[shards])[each.shard] = each.pos;
        }
        var ends = new TreeMap<Long, Positions>();
        Positions end = null;
        for (var epoch : begun.descendingMap().entrySet()) {
            var here = Positions.of(epoch.getValue());
            end = end == null ? here : end.min(here);
            ends.put(epoch.getKey() - 1, end);
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
