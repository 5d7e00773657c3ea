// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The list of tables that an export of a tenant contains ({@code db/transfer}) names each table of the migrations once, so that no
 * new table is forgotten. Runs in every module, on that module's own files.
 */
class TransferListTest {
    private static final Path RESOURCES = Path.of("src", "main", "resources", "db");
    private static final Pattern CREATED =
            Pattern.compile("CREATE (?:UNLOGGED )?TABLE \\w+\\.(\\w+) \\((?!\\s*PARTITION)");
    private static final Pattern DROPPED = Pattern.compile("DROP TABLE \\w+\\.(\\w+)");

    @Test
    void theListNamesEachTableOnce() throws IOException {
        var listed = new ArrayList<String>();
        for (var file : files("transfer", ".txt")) {
            Files.readAllLines(file).stream()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> listed.add(line.substring(0, line.indexOf(':'))));
        }
        assertThat(listed).as("the tables of the migrations").containsExactlyInAnyOrderElementsOf(tables());
    }

    private static Set<String> tables() throws IOException {
        var tables = new TreeSet<String>();
        var dropped = new TreeSet<String>();
        for (var file : files("migration", ".sql")) {
            var sql = Files.readString(file);
            CREATED.matcher(sql).results().forEach(match -> tables.add(match.group(1)));
            DROPPED.matcher(sql).results().forEach(match -> dropped.add(match.group(1)));
        }
        tables.removeAll(dropped);
        return tables;
    }

    /** No files in a module without tables. */
    private static List<Path> files(String folder, String ending) throws IOException {
        if (!Files.isDirectory(RESOURCES.resolve(folder))) {
            return List.of();
        }
        try (var files = Files.walk(RESOURCES.resolve(folder))) {
            return files.filter(path -> path.toString().endsWith(ending)).toList();
        }
    }
}
