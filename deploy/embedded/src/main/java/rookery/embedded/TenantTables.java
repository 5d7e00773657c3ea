// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.platform.tenant.Tenant;
import rookery.platform.tenant.TenantRegister;
import rookery.platform.tenant.TenantsRefusedException;

/**
 * The tables {@code tenant_name} of all services in one database. A row of one table is copied to all others, so that each
 * service knows the number and name of each tenant.
 */
public final class TenantTables {
    private static final String IS_THERE = "SELECT to_regclass('SCHEMA.tenant_name') IS NOT NULL";
    private static final String LOCK = "LOCK TABLE SCHEMA.tenant_name IN SHARE ROW EXCLUSIVE MODE";
    private static final String READ = "SELECT tenant, coalesce(server_name, '') FROM SCHEMA.tenant_name";
    private static final String WRITE =
            "INSERT INTO SCHEMA.tenant_name (tenant, server_name) VALUES (?, nullif(?, '')) ON CONFLICT (tenant) DO NOTHING";

    private static final String REGISTERED = "SELECT server_name FROM admin.tenant";

    private TenantTables() {}

    /** The server names in admin-service's registry, which are served whether configured or not. */
    public static Set<String> registered(Database superuser) {
        return Set.copyOf(superuser.texts(REGISTERED));
    }

    /** Reads the tenants of the data. */
    public static TenantRegister united(Database superuser) {
        return added(superuser, _ -> List.of());
    }

    /** Adds the configured tenants, or none of them when one contradicts the data. */
    public static TenantRegister bound(Database superuser, Collection<Tenant> configured) {
        return added(superuser, register -> register.missing(configured, "the database"));
    }

    /** Adds server names; new names get the next numbers. The first name gets number 1 when that number is free. */
    public static TenantRegister numbered(Database superuser, List<ServerName> names) {
        return added(superuser, register -> numbered(register, names));
    }

    private static List<Tenant> numbered(TenantRegister register, List<ServerName> names) {
        var added = new ArrayList<Tenant>();
        int next = Math.max(register.next(), 2);
        for (var name : names) {
            if (register.find(name) == null) {
                boolean isFirst =
                        name.equals(names.getFirst()) && !register.names().containsKey(1);
                added.add(new Tenant(new TenantId(isFirst ? 1 : next++), name));
            }
        }
        return added;
    }

    private static TenantRegister added(Database superuser, Function<TenantRegister, List<Tenant>> additions) {
        try (var connection = superuser.connect()) {
            connection.setAutoCommit(false);
            var tables = tables(connection);
            for (var schema : tables.values()) {
                execute(connection, LOCK, schema);
            }
            var names = new TreeMap<>(union(connection, tables).names());
            additions
                    .apply(TenantRegister.of(names))
                    .forEach(tenant ->
                            names.put(tenant.id().value(), tenant.serverName().value()));
            for (var schema : tables.values()) {
                write(connection, schema, names);
            }
            connection.commit();
            return TenantRegister.of(names);
        } catch (SQLException e) {
            throw new ServerException("the tenants of the data cannot be read: " + e.getMessage(), e);
        }
    }

    /** The schemas with the table, by service. */
    private static Map<String, String> tables(Connection connection) throws SQLException {
        var schemas = new LinkedHashMap<String, String>();
        for (var service : Migrations.SERVICES) {
            var schema = Migrations.role(service);
            try (var statement = connection.createStatement();
                    var rows = statement.executeQuery(IS_THERE.replace("SCHEMA", schema))) {
                if (rows.next() && rows.getBoolean(1)) {
                    schemas.put(service, schema);
                }
            }
        }
        return schemas;
    }

    private static TenantRegister union(Connection connection, Map<String, String> tables) throws SQLException {
        var union = new TreeMap<Integer, String>();
        for (var table : tables.entrySet()) {
            try (var statement = connection.createStatement();
                    var rows = statement.executeQuery(READ.replace("SCHEMA", table.getValue()))) {
                while (rows.next()) {
                    unite(union, rows.getInt(1), rows.getString(2), table.getKey());
                }
            }
        }
        return TenantRegister.of(union);
    }

    private static void unite(Map<Integer, String> union, int number, String name, String service) {
        boolean isNobody = name.equals(TenantRegister.NOBODY);
        var other = union.entrySet().stream()
                .filter(entry -> entry.getKey() == number
                        ? !entry.getValue().equals(name)
                        : !isNobody && entry.getValue().equals(name))
                .findFirst();
        if (other.isPresent()) {
            throw new TenantsRefusedException(
                    ("the data of %s have the number %d for %s and those of other services %d for %s, so an older version"
                                    + " was started with other tenants in between: restore a backup of before that")
                            .formatted(
                                    service,
                                    number,
                                    isNobody ? "nobody" : name,
                                    other.get().getKey(),
                                    other.get().getValue()));
        }
        union.put(number, name);
    }

    private static void write(Connection connection, String schema, Map<Integer, String> names) throws SQLException {
        try (var writing = connection.prepareStatement(WRITE.replace("SCHEMA", schema))) {
            for (var name : names.entrySet()) {
                writing.setInt(1, name.getKey());
                writing.setString(2, name.getValue());
                writing.executeUpdate();
            }
        }
    }

    private static void execute(Connection connection, String sql, String schema) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql.replace("SCHEMA", schema));
        }
    }
}
