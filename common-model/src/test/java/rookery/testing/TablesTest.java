// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The classes that name a table. Runs in every module, on that module's own files.
 *
 * <p>At most two classes name a table: its writer and its reader. Other classes read views, so that a table can change without
 * them. The exceptions are in {@code src/test/resources/tables.txt}, one line each: {@code table: classes: reason}. {@code
 * PurgedRows} deletes all rows of a room, names all tables and does not count.
 */
class TablesTest {
    private static final int CLASSES_MAX = 2;

    private static final Path MAIN = Path.of("src", "main", "java");
    private static final Path MIGRATIONS = Path.of("src", "main", "resources", "db", "migration");
    private static final Path EXCEPTIONS = Path.of("src", "test", "resources", "tables.txt");

    private static final Pattern CREATED = Pattern.compile("CREATE (?:UNLOGGED )?TABLE (\\w+\\.\\w+)");
    private static final Pattern NAMED = Pattern.compile("\\b(?:FROM|JOIN|INTO|UPDATE|USING) (\\w+\\.\\w+)");

    private static final Pattern EXCEPTION = Pattern.compile("(\\w+\\.\\w+): ([\\w ]+): \\S.*");

    @Test
    void tablesAreNamedInTwoClassesOrForAReason() throws IOException {
        var named = named(tables());
        named.values().removeIf(classes -> classes.size() <= CLASSES_MAX);
        assertThat(named)
                .as("tables in more than %d classes, against %s", CLASSES_MAX, EXCEPTIONS)
                .isEqualTo(exceptions());
    }

    private static Set<String> tables() throws IOException {
        var tables = new HashSet<String>();
        for (var migration : files(MIGRATIONS, ".sql")) {
            CREATED.matcher(Files.readString(migration))
                    .results()
                    .map(created -> created.group(1))
                    .forEach(tables::add);
        }
        return tables;
    }

    private static Map<String, Set<String>> named(Set<String> tables) throws IOException {
        var named = new TreeMap<String, Set<String>>();
        for (var file : files(MAIN, ".java")) {
            var type = file.getFileName().toString().replace(".java", "");
            if (type.equals("PurgedRows")) {
                continue;
            }
            for (var line : Files.readAllLines(file)) {
                NAMED.matcher(line)
                        .results()
                        .map(match -> match.group(1))
                        .filter(tables::contains)
                        .forEach(table -> named.computeIfAbsent(table, _ -> new TreeSet<>())
                                .add(type));
            }
        }
        return named;
    }

    private static Map<String, Set<String>> exceptions() throws IOException {
        var exceptions = new TreeMap<String, Set<String>>();
        if (Files.exists(EXCEPTIONS)) {
            for (var line : Files.readAllLines(EXCEPTIONS)) {
                var exception = EXCEPTION.matcher(line);
                assertThat(exception.matches())
                        .as("'%s' is no line as 'table: classes: reason'", line)
                        .isTrue();
                exceptions.put(
                        exception.group(1),
                        new TreeSet<>(List.of(exception.group(2).split(" "))));
            }
        }
        return exceptions;
    }

    private static List<Path> files(Path root, String ending) throws IOException {
        if (!Files.exists(root)) {
            return new ArrayList<>();
        }
        try (var paths = Files.walk(root)) {
            return paths.filter(path -> path.toString().endsWith(ending)).toList();
        }
    }
}
