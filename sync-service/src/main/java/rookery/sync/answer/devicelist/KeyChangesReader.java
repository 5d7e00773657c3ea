// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.devicelist;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.Shards;
import rookery.model.id.TenantUser;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenOwner;
import rookery.sync.inbox.DevicesClient;
import rookery.sync.inbox.FollowedLogs;

/** Device list changes between two tokens, from the owners of the logs. An invalid token counts as none. */
@Component
class KeyChangesReader {
    private final FollowedLogs logs;
    private final DeviceListsClient rooms;
    private final DevicesClient devices;

    KeyChangesReader(FollowedLogs logs, DeviceListsClient rooms, DevicesClient devices) {
        this.logs = logs;
        this.rooms = rooms;
        this.devices = devices;
    }

    Mono<DeviceLists> between(TokenOwner owner, DeviceId device, SyncToken from, SyncToken to) {
        var user = new TenantUser(owner.tenant(), owner.user());
        var start = logs.compare(from, owner);
        var end = logs.compare(to, owner);
        var since = start.isValidForRooms() ? from.rooms() : Positions.zero(Shards.COUNT);
        var upto = end.isValidForRooms() ? to.rooms() : end.rooms().positions();
        long after = start.isValidForUser() ? from.userPos() : 0;
        boolean isEmpty = end.isValidForUser() && to.userPos() <= after;
        return devices.keyCounts(user, device).zipWith(rooms.ask(user, since, upto), (keyCounts, epochLists) -> {
            if (!isEmpty) {
                keyCounts.changes().stream()
                        .filter(change -> change.pos() > after)
                        .forEach(change -> epochLists.lists().changed().add(change.user()));
            }
            return epochLists.lists();
        });
    }
}
