package rookery.model.id;

/** A room of a tenant; a room id alone names nothing. */
public record TenantRoom(TenantId tenant, RoomId room) {
    /** Where it lives, for ever. */
    public int shard() {
        return Shards.of(room);
    }
}
