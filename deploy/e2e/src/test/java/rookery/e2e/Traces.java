// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** Where in the tables of all services a text stands. */
final class Traces {
    private static final List<String> SERVICES = List.of(
            "auth-service", "room-service", "sync-service", "directory-service", "push-service", "admin-service");

    /** One query over all text columns of the service's tables, without the tables of {@code PositionAudit}. */
    private static final String COLUMNS = """
            SELECT string_agg(format('(SELECT %L FROM %I.%I WHERE strpos(%I::text, %L) > 0 LIMIT 1)',
                                     c.table_schema || '.' || c.table_name || '.' || c.column_name,
                                     c.table_schema, c.table_name, c.column_name, 'SOUGHT'), ' UNION ALL ')
              FROM information_schema.columns c
              JOIN information_schema.tables t USING (table_schema, table_name)
             WHERE t.table_type = 'BASE TABLE' AND c.table_name <> 'deleted_entry' AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
               AND c.data_type IN ('text', 'json', 'jsonb', 'character varying', 'ARRAY', 'tsvector')
            """;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private Traces() {}

    /** The columns that contain the text, such as {@code room.event.room_id}, without the permitted ones. */
    static List<String> of(Rookery rookery, String text, Set<String> allowed) {
        var found = new ArrayList<String>();
        for (String service : SERVICES) {
            var database = rookery.database(service);
            for (String query : database.texts(COLUMNS.replace("SOUGHT", text))) {
                found.addAll(database.texts(query));
            }
        }
        found.removeAll(allowed);
        return found;
    }

    /** Workers remove in portions, so it takes a while. */
    static void awaitNone(Rookery rookery, String text, Set<String> allowed) {
        var last = new ArrayList<String>();
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> {
                    last.clear();
                    last.addAll(of(rookery, text, allowed));
                    return last.isEmpty();
                }))
                .as("%s still stands in %s", text, last)
                .isTrue();
    }
}
