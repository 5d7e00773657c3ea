// SPDX-License-Identifier: Apache-2.0
package rookery.push;

import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;

/** A user in a room, whether joined, invited or left. */
public record RoomUser(TenantRoom room, UserId user) {
    public TenantUser tenantUser() {
        return new TenantUser(room.tenant(), user);
    }
}
