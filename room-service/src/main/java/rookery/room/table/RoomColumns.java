package rookery.room.table;

import java.util.Collection;
import rookery.model.id.TenantRoom;

/** Rooms as parameters of a statement that takes an array for each column. */
public final class RoomColumns {
    private RoomColumns() {}

    /** Of each room, in the order of the collection, as {@link #ids}. */
    public static Integer[] tenants(Collection<TenantRoom> rooms) {
        return rooms.stream().map(key -> key.tenant().value()).toArray(Integer[]::new);
    }

    public static String[] ids(Collection<TenantRoom> rooms) {
        return rooms.stream().map(key -> key.room().value()).toArray(String[]::new);
    }
}
