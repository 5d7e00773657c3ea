// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rookery.embedded.Database;
import rookery.embedded.Migrations;
import rookery.embedded.TestServers;

/**
 * The lists of what an export of one person contains ({@code db/person}) name each column of each table with a column {@code
 * tenant} of the migrated databases: shown, or left out with a reason. A new table or column fails until the list says which.
 */
@ResourceLock("passwords of the roles, which all databases of a server share")
class PersonListIT {
    /** Partitions stand for their table. */
    private static final String COLUMNS = """
            SELECT c.relname || '.' || a.attname
              FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
             WHERE c.relnamespace = 'SCHEMA'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
               AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'tenant'
               AND EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'tenant' AND NOT t.attisdropped)
            """;

    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final int NEVER_COLUMNS = 3;
    private static final int TABLE = 2;
    private static final int SHOWN = 5;
    private static final int LEFT_OUT = 6;

    static List<String> services() {
        return Migrations.SERVICES;
    }

    /** The names are those of files of the ZIP. */
    @Test
    void noTwoKindsOfDataHaveOneName() throws IOException {
        var names = new ArrayList<String>();
        for (var service : Migrations.SERVICES) {
            lines(service)
                    .map(line -> line.split(" ", 2)[0])
                    .filter(name -> !name.equals("never"))
                    .forEach(names::add);
        }
        assertThat(names).doesNotHaveDuplicates();
    }

    private static Stream<String> lines(String service) throws IOException {
        var list = Path.of("..", "..", service, "src/main/resources/db/person", service + ".txt");
        return Files.readAllLines(list).stream().filter(line -> !line.startsWith("#"));
    }

    @ParameterizedTest
    @MethodSource("services")
    void theListNamesEachColumn(String service) throws IOException {
        Database database = TestServers.database(service);
        var columns = new TreeSet<>(database.texts(COLUMNS.replace("SCHEMA", Migrations.role(service))));
        var known = List.copyOf(columns);
        assertThat(columns).isNotEmpty();
        for (var line : lines(service).toList()) {
            var parts = line.split(" \\| ?", -1);
            boolean never = parts[0].equals("never");
            assertThat(parts).as(line).hasSize(never ? NEVER_COLUMNS + 1 : LEFT_OUT + 1);
            assertThat(known).as(line).anyMatch(column -> column.startsWith(parts[TABLE] + "."));
            var named = never ? parts[NEVER_COLUMNS] : parts[SHOWN] + " " + parts[LEFT_OUT];
            WORD.matcher(named).results().forEach(word -> columns.remove(parts[TABLE] + "." + word.group()));
        }
        assertThat(columns)
                .as("columns that db/person/%s.txt does not name", service)
                .isEmpty();
    }
}
