// SPDX-License-Identifier: Apache-2.0
package rookery.room.spreading;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.Portions;
import rookery.room.draft.RoomDraft.OfDeviceList;
import rookery.room.inbox.DeviceListChanges;
import rookery.room.inbox.SpreadQueue.Spread;
import rookery.room.membership.RoomsOfUser;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.WorkQueue;

/**
 * Announces changes of a user's devices or keys in the user's joined rooms: one entry in each shard, with the ids of
 * the rooms (design.md 2). Later members learn of the devices by joining. A crash may repeat an announcement, which
 * costs each client a key query and does no harm.
 */
@Component
class DeviceListSpreader {
    private static final Logger log = LoggerFactory.getLogger(DeviceListSpreader.class);
    private static final int CLAIMED_MAX = 20;
    private static final int ROOMS_AT_ONCE = 1000;
    private static final int SHARDS_AT_ONCE = 8;
    /** The maximal number of rooms in an entry; a user in more rooms of a shard gets further entries. */
    private static final int ROOMS_IN_ENTRY_MAX = 500;

    private final DeviceListChanges changes;
    private final RoomsOfUser roomsOfUser;
    private final RoomLog roomLog;
    private final SpreadingProperties properties;

    DeviceListSpreader(
            DeviceListChanges changes, RoomsOfUser roomsOfUser, RoomLog roomLog, SpreadingProperties properties) {
        this.changes = changes;
        this.roomsOfUser = roomsOfUser;
        this.roomLog = roomLog;
        this.properties = properties;
    }

    @Scheduled(initialDelayString = "PT0.2S", fixedDelayString = "${rookery.room.spreading.interval:PT0.2S}")
    Mono<Void> work() {
        return Mono.defer(() -> changes.claim(properties.lease(), CLAIMED_MAX))
                .flatMapIterable(claimed -> claimed)
                .concatMap(this::announce)
                .then()
                .onErrorResume(WorkQueue.logged(log, "claiming changed device lists failed, next attempt follows"));
    }

    /** A failed change stays claimed and is repeated when the lease ends. */
    private Mono<Void> announce(Spread change) {
        return byShard(change, "", new HashMap<>())
                .flatMapIterable(DeviceListSpreader::portions)
                .flatMapDelayError(rooms -> roomLog.append(draft(change, rooms)), SHARDS_AT_ONCE, 1)
                .then(Mono.defer(() -> changes.finish(change)))
                .onErrorResume(WorkQueue.logged(log, "announcing a changed device list failed, next attempt follows"));
    }

    private static List<List<RoomId>> portions(Map<Integer, List<RoomId>> byShard) {
        return byShard.values().stream()
                .flatMap(rooms -> Portions.of(rooms, ROOMS_IN_ENTRY_MAX).stream())
                .toList();
    }

    private static OfDeviceList draft(Spread change, List<RoomId> rooms) {
        var user = change.user();
        return new OfDeviceList(new TenantRoom(user.tenant(), rooms.getFirst()), user.user(), rooms);
    }

    /** The user's joined rooms by shard. A join meanwhile announces the devices by itself. */
    private Mono<Map<Integer, List<RoomId>>> byShard(Spread change, String after, Map<Integer, List<RoomId>> byShard) {
        return roomsOfUser
                .rooms(change.user().tenant(), change.user().user(), List.of(Membership.JOIN), after, ROOMS_AT_ONCE)
                .flatMap(rooms -> {
                    rooms.forEach(room -> byShard.computeIfAbsent(Shards.of(room), _ -> new ArrayList<>())
                            .add(room));
                    return rooms.size() < ROOMS_AT_ONCE
                            ? Mono.just(byShard)
                            : byShard(change, rooms.getLast().value(), byShard);
                });
    }
}
