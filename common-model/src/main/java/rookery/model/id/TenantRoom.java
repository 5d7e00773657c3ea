// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

/** A room of a tenant; a room id without a tenant is ambiguous. */
public record TenantRoom(TenantId tenant, RoomId room) {
    /** The room's fixed shard. */
    public int shard() {
        return Shards.of(room);
    }
}
