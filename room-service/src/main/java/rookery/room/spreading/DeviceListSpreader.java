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
 * Tells those who share rooms with a user that the user's devices or keys are others: one entry in each shard in which the user has
 * joined rooms, which names these (design.md 2). Whoever comes to share a room later is told by that. After a crash some are told once more, which costs
 * them a question and nothing else.
 */
@Component
class DeviceListSpreader {
    private static final Logger log = LoggerFactory.getLogger(DeviceListSpreader.class);
    private static final int CLAIMED_MAX = 20;
    private static final int ROOMS_AT_ONCE = 1000;
    private static final int SHARDS_AT_ONCE = 8;
    /** A user who is in more rooms of a shard gets further entries there. */
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
                .concatMap(this::told)
                .then()
                .onErrorResume(failure -> {
                    log.atWarn()
                            .addKeyValue("cause", failure.getMessage())
                            .log("changed device lists wait for the next try");
                    return Mono.empty();
                });
    }

    private Mono<List<Spread>> claimed() {
        long until = clock.instant().plus(properties.lease()).toEpochMilli();
        return changes.claim(clock.millis(), until, CLAIMED_MAX);
    }

    /** What fails here stays claimed, and is tried again when that has run out. */
    private Mono<Void> told(Spread change) {
        return byShard(change, "", new HashMap<>())
                .flatMapIterable(DeviceListSpreader::portions)
                .flatMapDelayError(rooms -> roomLog.append(draft(change, rooms)), SHARDS_AT_ONCE, 1)
                .then(Mono.defer(() -> changes.done(change)))
                .onErrorResume(failure -> {
                    log.atWarn()
                            .addKeyValue("cause", failure.getMessage())
                            .log("a changed device list is told again later");
                    return Mono.empty();
                });
    }

    private static List<List<RoomId>> portions(Map<Integer, List<RoomId>> byShard) {
        return byShard.values().stream()
                .flatMap(rooms -> Portions.of(rooms, ROOMS_IN_ENTRY_MAX).stream())
                .toList();
    }

    private static OfDeviceList draft(Spread change, List<RoomId> rooms) {
        var who = change.who();
        return new OfDeviceList(new TenantRoom(who.tenant(), rooms.getFirst()), who.user(), rooms);
    }

    /** The rooms that the user has joined. Whoever joins another one meanwhile is told of by that. */
    private Mono<Map<Integer, List<RoomId>>> byShard(Spread change, String after, Map<Integer, List<RoomId>> found) {
        return memberships
                .rooms(change.who().tenant(), change.who().user(), List.of(Membership.JOIN), after, ROOMS_AT_ONCE)
                .flatMap(rooms -> {
                    rooms.forEach(room -> found.computeIfAbsent(Shards.of(room), _ -> new ArrayList<>())
                            .add(room));
                    return rooms.size() < ROOMS_AT_ONCE
                            ? Mono.just(found)
                            : byShard(change, rooms.getLast().value(), found);
                });
    }
}
