// SPDX-License-Identifier: Apache-2.0
package rookery.push;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;

/** Binds rows to one statement as an array for each column; the statement expands the arrays with {@code unnest}. */
public final class Columns<T> {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-zA-Z]+)");

    private final List<T> rows;
    private final String prefix;
    private GenericExecuteSpec statement;

    private Columns(GenericExecuteSpec statement, List<T> rows, String prefix) {
        this.statement = statement;
        this.rows = rows;
        this.prefix = prefix;
    }

    /** The statement as a part of a statement of several, each with a prefix of its own for its parameters. */
    public static String prefixed(String sql, String prefix) {
        return PARAMETER.matcher(sql).replaceAll(":" + prefix + "$1");
    }

    /** Binds the columns of a {@link #prefixed} part. */
    public static <T> Columns<T> ofPart(String prefix, GenericExecuteSpec statement, Collection<T> rows) {
        return new Columns<>(statement, new ArrayList<>(rows), prefix);
    }

    /** Scalar parameters are bound to the statement beforehand, or to the result of {@link #statement}. */
    public static <T> Columns<T> of(GenericExecuteSpec statement, Collection<T> rows) {
        return ofPart("", statement, rows);
    }

    public Columns<T> ints(String name, Function<T, Integer> value) {
        statement = statement.bind(prefix + name, rows.stream().map(value).toArray(Integer[]::new));
        return this;
    }

    public Columns<T> longs(String name, Function<T, Long> value) {
        statement = statement.bind(prefix + name, rows.stream().map(value).toArray(Long[]::new));
        return this;
    }

    public Columns<T> flags(String name, Function<T, Boolean> value) {
        statement = statement.bind(prefix + name, rows.stream().map(value).toArray(Boolean[]::new));
        return this;
    }

    public Columns<T> texts(String name, Function<T, @Nullable String> value) {
        statement = statement.bind(prefix + name, rows.stream().map(value).toArray(String[]::new));
        return this;
    }

    /** The columns tenants and rooms. */
    public Columns<T> rooms(Function<T, TenantRoom> room) {
        return ints("tenants", row -> room.apply(row).tenant().value())
                .texts("rooms", row -> room.apply(row).room().value());
    }

    /** The columns tenants, rooms and users. */
    public Columns<T> roomUsers(Function<T, RoomUser> user) {
        return rooms(row -> user.apply(row).room())
                .texts("users", row -> user.apply(row).user().value());
    }

    /** The columns tenants and users. */
    public Columns<T> users(Function<T, TenantUser> user) {
        return ints("tenants", row -> user.apply(row).tenant().value())
                .texts("users", row -> user.apply(row).user().value());
    }

    /** The statement with all columns bound so far. */
    public GenericExecuteSpec statement() {
        return statement;
    }

    public Mono<Void> then() {
        return statement.then();
    }
}
