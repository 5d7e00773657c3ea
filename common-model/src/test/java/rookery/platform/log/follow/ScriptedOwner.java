// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.model.topic.LogRecord;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceKeys;
import rookery.platform.http.ServiceName;
import rookery.platform.instance.InstanceProperties;
import rookery.platform.instance.Instances;
import rookery.platform.log.append.LogApi.HeadsAnswer;
import rookery.platform.log.append.Range;

/** The owner of a log in memory: every entry is a batch, whose number is its position plus 100. */
final class ScriptedOwner extends ServiceClient {
    private static final String SERVICE = "room-service";
    private static final int NUMBER_OF_POSITION_0 = 100;

    private final List<List<LogRecord>> shards = new ArrayList<>();
    private final Map<Long, long[]> earlier = new TreeMap<>();
    volatile long epoch = 1;
    volatile boolean away;
    /** The most entries of a range. */
    int limit = 2;
    /** The number of ranges that were read. */
    int ranges;
    /** The number of questions for the heads. */
    final AtomicInteger questions = new AtomicInteger();
    /** Whether the owner is of a release that gives no stamp. */
    boolean isOld;

    ScriptedOwner(int shards) {
        this(shards, "localhost:1");
    }

    ScriptedOwner(int shards, String address) {
        super(
                new Instances(new InstanceProperties(null, Map.of(SERVICE, List.of(address)), Map.of(), null)),
                new ServiceCredential(ServiceKeys.derived(ServiceName.SYNC, "master"), Clock.systemUTC()),
                new ReactorResourceFactory());
        for (int shard = 0; shard < shards; shard++) {
            this.shards.add(new ArrayList<>());
        }
    }

    LogOwner client() {
        return new LogOwner(this, SERVICE);
    }

    /** Appends entries, each with its body and each a unit, unless the body ends in {@code …}. */
    synchronized List<LogRecord> append(int shard, String... bodies) {
        var log = shards.get(shard);
        var appended = new ArrayList<LogRecord>();
        for (var body : bodies) {
            appended.add(entry(shard, epoch, log.size() + 1, body));
            log.add(appended.getLast());
        }
        return appended;
    }

    static LogRecord entry(int shard, long epoch, long pos, String body) {
        return new LogRecord(
                shard,
                epoch,
                pos,
                "test",
                !body.endsWith("…"),
                new TenantId(1),
                null,
                null,
                body,
                NUMBER_OF_POSITION_0 + pos,
                NUMBER_OF_POSITION_0 + pos - 1);
    }

    /** Loses the entries after a position, and continues in another epoch. */
    synchronized void loseAfter(int shard, long pos, long newEpoch) {
        earlier.put(epoch, heads(shard, pos));
        var log = shards.get(shard);
        log.subList((int) pos, log.size()).clear();
        epoch = newEpoch;
    }

    /** Purges the entries up to a position, which stay counted. */
    synchronized void purge(int shard, long pos) {
        shards.get(shard).subList(0, (int) pos).replaceAll(_ -> entry(shard, 0, 0, ""));
    }

    private long[] heads(int shard, long pos) {
        var heads = shards.stream().mapToLong(List::size).toArray();
        heads[shard] = pos;
        return heads;
    }

    @Override
    public synchronized <T> Mono<T> get(String service, String key, String path, Class<T> answer) {
        if (away) {
            return Mono.error(ApiException.unavailable("away"));
        }
        return Mono.just(answer.cast(path.contains("/heads") ? heads(path) : range(path)));
    }

    private HeadsAnswer heads(String path) {
        questions.incrementAndGet();
        if (path.endsWith("?seen=" + stamp())) {
            return new HeadsAnswer(0, null, null, null, stamp());
        }
        var heads = shards.stream().mapToLong(List::size).toArray();
        var numbers = shards.stream().map(log -> number(log.size())).toList();
        return new HeadsAnswer(epoch, heads, numbers, new TreeMap<>(earlier), isOld ? null : stamp());
    }

    private String stamp() {
        return epoch + "-" + shards.stream().map(List::size).toList();
    }

    private static long number(long pos) {
        return pos == 0 ? 0 : NUMBER_OF_POSITION_0 + pos;
    }

    private Range range(String path) {
        ranges++;
        var parts = path.substring("/internal/log/".length()).split("\\?after=|&number=", 3);
        int shard = Integer.parseInt(parts[0]);
        int after = Integer.parseInt(parts[1]);
        var log = shards.get(shard);
        @Nullable LogRecord last = null;
        var entries = new ArrayList<LogRecord>();
        for (int pos = after + 1; pos <= log.size() && entries.size() < limit; pos++) {
            last = log.get(pos - 1);
            if (last.pos() > 0) {
                entries.add(last);
            }
        }
        long coveredTo = entries.size() == limit ? entries.getLast().pos() : log.size();
        return new Range(epoch, entries, coveredTo, number(coveredTo), log.size());
    }
}
