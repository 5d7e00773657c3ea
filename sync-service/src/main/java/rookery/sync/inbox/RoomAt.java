// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import rookery.model.id.RoomId;

/** A room and its shard. */
record RoomAt(RoomId room, int shard) {}
