// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import rookery.model.id.TenantRoom;

/** A key of state in a room. */
public record RoomStateKey(TenantRoom room, StateKey state) {}
