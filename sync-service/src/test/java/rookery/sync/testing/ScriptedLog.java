// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;

/** A log in memory, with its owner's answers. */
public final class ScriptedLog {
    private static final int SHARDS = Shards.COUNT;

    private final List<List<LogRecord>> shards = new ArrayList<>();
    private final Map<Long, long[]> earlier = new TreeMap<>();
    private long epoch = 1;

    /** An entry without a position. */
    public record Draft(
            String kind,
            TenantId tenant,
            @Nullable RoomId room,
            @Nullable UserId subject,
            String body) {}

    ScriptedLog() {
        for (int shard = 0; shard < SHARDS; shard++) {
            shards.add(new ArrayList<>());
        }
    }

    /** Appends one unit. */
    synchronized List<LogRecord> append(int shard, List<Draft> unit) {
        var log = shards.get(shard);
        var added = new ArrayList<LogRecord>();
        for (int i = 0; i < unit.size(); i++) {
            var draft = unit.get(i);
            var entry = new LogRecord(
                    shard,
                    epoch,
                    log.size() + 1L,
                    draft.kind,
                    i == unit.size() - 1,
                    draft.tenant,
                    draft.room,
                    draft.subject,
                    draft.body);
            log.add(entry);
            added.add(entry);
        }
        return added;
    }

    /** A restore of the database to its present content: a new epoch begins. */
    public synchronized void raiseEpoch() {
        epoch++;
        for (var log : shards) {
            log.replaceAll(entry -> new LogRecord(
                    entry.shard(),
                    epoch,
                    entry.pos(),
                    entry.kind(),
                    entry.unitEnd(),
                    entry.tenant(),
                    entry.room(),
                    entry.subject(),
                    entry.body()));
        }
    }

    /** A promotion of a standby with the present content: positions so far stay valid. */
    public synchronized void promote() {
        long[] end = heads();
        earlier.values().forEach(before -> Arrays.setAll(before, shard -> Math.min(before[shard], end[shard])));
        earlier.put(epoch, end);
        raiseEpoch();
    }

    /** Loses the last entries, as by a restore. */
    public synchronized void lose(int shard, int count) {
        var log = shards.get(shard);
        log.subList(log.size() - count, log.size()).clear();
    }

    public synchronized long epoch() {
        return epoch;
    }

    public synchronized long[] heads() {
        return shards.stream().mapToLong(List::size).toArray();
    }

    synchronized List<LogRecord> upto(int shard, long pos) {
        return List.copyOf(shards.get(shard)
                .subList(0, (int) Math.min(pos, shards.get(shard).size())));
    }

    /** The position of an event of the room; 1 if absent. */
    public synchronized long find(int shard, RoomId room, EventId event) {
        return shards.get(shard).stream()
                .filter(entry -> room.equals(entry.room()))
                .filter(entry -> entry.body().contains("\"event_id\":\"" + event.value() + "\""))
                .mapToLong(LogRecord::pos)
                .findFirst()
                .orElse(1);
    }

    synchronized Object headsAnswer() {
        return Map.of("epoch", epoch, "positions", heads(), "earlier", earlier);
    }

    synchronized Object rangeAnswer(int shard, long after, int limit) {
        var log = shards.get(shard);
        int from = (int) Math.min(after, log.size());
        var entries = List.copyOf(log.subList(from, Math.min(from + limit, log.size())));
        return Map.of(
                "epoch",
                epoch,
                "entries",
                entries,
                "number",
                0,
                "covered_to",
                from + entries.size(),
                "head",
                log.size());
    }
}
