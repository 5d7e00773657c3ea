// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.RequiredColumn;

/** Rows as array parameters of a statement, one array for each column, in the order of the rows. */
public final class RoomColumns {
    private RoomColumns() {}

    public static Integer[] tenants(Collection<TenantRoom> rooms) {
        return rooms.stream().map(key -> key.tenant().value()).toArray(Integer[]::new);
    }

    public static String[] ids(Collection<TenantRoom> rooms) {
        return texts(rooms, key -> key.room().value());
    }

    /** The driver cannot bind arrays with nulls, so an absent text is an empty one. */
    public static <T> String[] texts(Collection<T> rows, Function<? super T, @Nullable String> column) {
        return rows.stream()
                .map(row -> Objects.requireNonNullElse(column.apply(row), ""))
                .toArray(String[]::new);
    }

    public static <T> Long[] longs(Collection<T> rows, Function<? super T, Long> column) {
        return rows.stream().map(column).toArray(Long[]::new);
    }

    /** The room in the columns {@code tenant} and {@code room_id}. */
    public static TenantRoom room(Readable row) {
        return new TenantRoom(
                RequiredColumn.of(row, "tenant", TenantId.class), RequiredColumn.of(row, "room_id", RoomId.class));
    }
}
