package rookery.room.spreading;

import java.time.Clock;
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
import rookery.room.roomlog.RoomLog;

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
    private final Memberships memberships;
    private final RoomLog roomLog;
    private final Clock clock;
    private final SpreadingProperties properties;

    DeviceListSpreader(
            DeviceListChanges changes,
            Memberships memberships,
            RoomLog roomLog,
            Clock clock,
            SpreadingProperties properties) {
        this.changes = changes;
        this.memberships = memberships;
        this.roomLog = roomLog;
        this.clock = clock;
        this.properties = properties;
    }

    @Scheduled(initialDelayString = "PT0.2S", fixedDelayString = "${rookery.room.spreading.interval:PT0.2S}")
    Mono<Void> work() {
        return Mono.defer(this::claimed)
                .flatMapIterable(claimed -> claimed)
                .concatMap(this::announce)
                .then()
                .onErrorResume(failure -> {
                    log.atWarn()
                            .addKeyValue("cause", failure.getMessage())
                            .log("claiming changed device lists failed, next attempt follows");
                    return Mono.empty();
                });
    }

    private Mono<List<Spread>> claimed() {
        long until = clock.instant().plus(properties.lease()).toEpochMilli();
        return changes.claim(clock.millis(), until, CLAIMED_MAX);
    }

    /** A failed change stays claimed and is repeated when the lease ends. */
    private Mono<Void> announce(Spread change) {
        return byShard(change, "", new HashMap<>())
                .flatMapIterable(DeviceListSpreader::portions)
                .flatMapDelayError(rooms -> roomLog.append(draft(change, rooms)), SHARDS_AT_ONCE, 1)
                .then(Mono.defer(() -> changes.done(change)))
                .onErrorResume(failure -> {
                    log.atWarn()
                            .addKeyValue("cause", failure.getMessage())
                            .log("announcing a changed device list failed, next attempt follows");
                    return Mono.empty();
                });
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
        return memberships
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
