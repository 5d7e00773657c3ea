// SPDX-License-Identifier: Apache-2.0
package rookery.embedded.backup;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import rookery.embedded.Migrations;
import rookery.embedded.ServerException;

/** The tables of the services' schemas, from PostgreSQL's catalog. */
final class Tables {
    private static final String ALL = """
            SELECT format('%I.%I', n.nspname, c.relname) AS name,
                   (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a
                     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ANY (?) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
               AND c.relname <> 'flyway_schema_history'
             ORDER BY 1
            """;

    private static final String REFERENCES = """
            SELECT format('%I.%I', n.nspname, c.relname), format('%I.%I', m.nspname, d.relname)
              FROM pg_constraint f
              JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_class d ON d.oid = f.confrelid JOIN pg_namespace m ON m.oid = d.relnamespace
             WHERE f.contype = 'f' AND f.conrelid <> f.confrelid
            """;

    /** Sets each identity column's sequence behind its highest value. */
    private static final String IDENTITIES = """
            SELECT format('SELECT setval(%L, coalesce(max(%I), 0) + 1, false) FROM %I.%I',
                          pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname),
                          a.attname, n.nspname, c.relname)
              FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ANY (?) AND a.attidentity <> '' AND c.relkind IN ('r', 'p')
            """;

    private Tables() {}

    static String[] schemas() {
        return Migrations.SERVICES.stream().map(Migrations::role).toArray(String[]::new);
    }

    /** The columns of all tables, by table name such as {@code room.log_entry}. */
    static SortedMap<String, String> columns(Connection connection) throws SQLException {
        var columns = new TreeMap<String, String>();
        try (var query = connection.prepareStatement(ALL)) {
            query.setArray(1, connection.createArrayOf("text", schemas()));
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    columns.put(rows.getString(1), rows.getString(2));
                }
            }
        }
        return columns;
    }

    /** Sorts the tables by their foreign keys: referenced tables come first. */
    static List<String> inOrder(Connection connection, Set<String> tables) throws SQLException {
        var references = references(connection, tables);
        var ordered = new ArrayList<String>();
        while (ordered.size() < tables.size()) {
            var next = references.entrySet().stream()
                    .filter(each -> !ordered.contains(each.getKey()) && ordered.containsAll(each.getValue()))
                    .map(Map.Entry::getKey)
                    .toList();
            if (next.isEmpty()) {
                throw new ServerException("tables refer to each other in a circle: " + references);
            }
            ordered.addAll(next);
        }
        return ordered;
    }

    private static Map<String, Set<String>> references(Connection connection, Set<String> tables) throws SQLException {
        var references = new LinkedHashMap<String, Set<String>>();
        new TreeSet<>(tables).forEach(table -> references.put(table, new TreeSet<>()));
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(REFERENCES)) {
            while (rows.next()) {
                var of = references.get(rows.getString(1));
                if (of != null && tables.contains(rows.getString(2))) {
                    of.add(rows.getString(2));
                }
            }
        }
        return references;
    }

    static void setIdentities(Connection connection) throws SQLException {
        var statements = new ArrayList<String>();
        try (var query = connection.prepareStatement(IDENTITIES)) {
            query.setArray(1, connection.createArrayOf("text", schemas()));
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    statements.add(rows.getString(1));
                }
            }
        }
        try (var statement = connection.createStatement()) {
            for (var each : statements) {
                statement.execute(each);
            }
        }
    }
}
