package rookery.sync.answer.devicelist;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.Shards;
import rookery.model.id.TenantUser;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenOwner;
import rookery.sync.inbox.DevicesClient;
import rookery.sync.inbox.FollowedLog;

/**
 * The content of {@link DeviceListStream} between two tokens, read from the owners of the logs. A token that a restore has made
 * invalid counts as no token.
 */
@Component
class KeyChangesReader {
    private final FollowedLog roomLog;
    private final FollowedLog userLog;
    private final DeviceListsClient rooms;
    private final DevicesClient devices;

    KeyChangesReader(
            @Qualifier("roomLog") FollowedLog roomLog,
            @Qualifier("userLog") FollowedLog userLog,
            DeviceListsClient rooms,
            DevicesClient devices) {
        this.roomLog = roomLog;
        this.userLog = userLog;
        this.rooms = rooms;
        this.devices = devices;
    }

    Mono<DeviceLists> between(TokenOwner owner, DeviceId device, SyncToken from, SyncToken to) {
        var user = new TenantUser(owner.tenant(), owner.user());
        var since = holdsRooms(from) ? from.rooms() : Positions.zero(Shards.COUNT);
        var upto = holdsRooms(to) ? to.rooms() : roomLog.now().positions();
        long after = holdsUser(owner, from) ? from.userPos() : 0;
        boolean isEmpty = holdsUser(owner, to) && to.userPos() <= after;
        return devices.keyCounts(user, device).zipWith(rooms.ask(user, since, upto), (keyCounts, epochLists) -> {
            if (!isEmpty) {
                keyCounts.changes().stream()
                        .filter(change -> change.pos() > after)
                        .forEach(change -> epochLists.lists().changed().add(change.user()));
            }
            return epochLists.lists();
        });
    }

    private boolean holdsRooms(SyncToken token) {
        return token.rooms().shards() == Shards.COUNT
                && (token.roomEpoch() >= roomLog.now().epoch()
                        || roomLog.earlier().hold(token.roomEpoch(), token.rooms()));
    }

    private boolean holdsUser(TokenOwner owner, SyncToken token) {
        return token.userEpoch() >= userLog.now().epoch()
                || userLog.earlier().hold(token.userEpoch(), Shards.of(owner.user()), token.userPos());
    }
}
