// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import rookery.push.unread.CountRows.Count;
import rookery.push.unread.CountRows.RequestedRoom;
import rookery.push.unread.CountRows.ShardProgress;
import rookery.push.unread.CountRows.Total;

/** Unread counts of users (contract.md 11.4). */
@Component
public class Unread {
    private static final Long[] EVERYTHING = new Long[Shards.COUNT];

    static {
        Arrays.fill(EVERYTHING, Long.MAX_VALUE);
    }

    private final CountRows rows;
    private final Tenants tenants;
    private final TransactionalOperator snapshot;

    Unread(CountRows rows, Tenants tenants, ReactiveTransactionManager transactions) {
        this.rows = rows;
        this.tenants = tenants;
        var definition = new DefaultTransactionDefinition();
        definition.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        definition.setReadOnly(true);
        this.snapshot = TransactionalOperator.create(transactions, definition);
    }

    /** The number of notifying events of a thread, and of highlights. */
    record Tally(long n, long h) {}

    /**
     * The counts at these positions, by room and thread; a requested room without unread events has no threads.
     *
     * @param counted the positions counted so far, possibly beyond the requested positions
     * @param userLog the position of the user log up to which the user's rules and ignored users are applied
     */
    record Counts(
            long epoch,
            List<Long> positions,
            Map<RoomId, Map<String, Tally>> rooms,
            List<Long> counted,
            ShardProgress userLog) {}

    /** The number for each user's app icon: unread events, or unread rooms if the tenant is configured so. */
    public Mono<Map<UserId, Integer>> badges(TenantId tenant, Collection<UserId> users) {
        boolean ofRooms = tenants.setting(tenant, TenantSettings.BADGE_COUNTS_ROOMS, false);
        return rows.totals(tenant, users, EVERYTHING)
                .collectMap(
                        Total::user, total -> Math.clamp(ofRooms ? total.rooms() : total.n(), 0, Integer.MAX_VALUE));
    }

    /** A user's counts up to the given positions by shard; null for all rooms with unread events. */
    Mono<Counts> of(TenantUser user, List<Long> upto, @Nullable List<RequestedRoom> rooms) {
        return rows.counted()
                .zipWhen(_ -> rows.userLogProgress(user))
                .flatMap(both -> of(user, both.getT1(), both.getT2(), upto, rooms))
                .as(snapshot::transactional);
    }

    private Mono<Counts> of(
            TenantUser user,
            List<ShardProgress> counted,
            ShardProgress userLog,
            List<Long> upto,
            @Nullable List<RequestedRoom> rooms) {
        var positions = new Long[counted.size()];
        for (int shard = 0; shard < positions.length; shard++) {
            positions[shard] = Math.min(counted.get(shard).pos(), upto.get(shard));
        }
        return rows.count(user, positions, rooms)
                .collectList()
                .map(counts -> new Counts(
                        counted.getFirst().epoch(),
                        List.of(positions),
                        byRoom(counts, rooms),
                        counted.stream().map(ShardProgress::pos).toList(),
                        userLog));
    }

    private static Map<RoomId, Map<String, Tally>> byRoom(List<Count> counts, @Nullable List<RequestedRoom> requested) {
        var rooms = new LinkedHashMap<RoomId, Map<String, Tally>>();
        if (requested != null) {
            requested.forEach(room -> rooms.put(room.room(), new HashMap<>()));
        }
        for (var count : counts) {
            var threads = rooms.computeIfAbsent(count.room(), _ -> new HashMap<>());
            Objects.requireNonNull(threads).put(count.thread(), new Tally(count.n(), Math.min(count.n(), count.h())));
        }
        return rooms;
    }
}
