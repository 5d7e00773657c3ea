package rookery.room.table;

import java.util.Collection;
import rookery.model.id.TenantRoom;

/** Rooms as array parameters of a statement, one array for each column. */
public final class RoomColumns {
    private RoomColumns() {}

    /** The tenants in the order of the collection, as {@link #ids}. */
    public static Integer[] tenants(Collection<TenantRoom> rooms) {
        return rooms.stream().map(key -> key.tenant().value()).toArray(Integer[]::new);
    }

    public static String[] ids(Collection<TenantRoom> rooms) {
        return rooms.stream().map(key -> key.room().value()).toArray(String[]::new);
    }
}
