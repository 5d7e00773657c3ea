// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import rookery.model.id.TenantId;

/**
 * The limits by which drafts are judged.
 *
 * @param stateBytesMax the most bytes of a room's state, without member events
 * @param membersMax the most joined members of a room of a tenant
 * @param moreEvents fails if the tenant has sent its events of today
 */
record RoomLimits(
        ToLongFunction<TenantId> stateBytesMax, ToLongFunction<TenantId> membersMax, Consumer<TenantId> moreEvents) {}
