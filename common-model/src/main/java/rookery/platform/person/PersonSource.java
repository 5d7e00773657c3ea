// SPDX-License-Identifier: Apache-2.0
package rookery.platform.person;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A line of the file {@code db/person/SERVICE.txt}, which says for every table with a column {@code tenant} how the rows of one
 * person are exported, or why not. A line is {@code name | title | table | rows | key | columns | left out}. The rows are a
 * condition in SQL with {@code :user}, {@code :tenant}, {@code :room} or {@code :shard}. A condition behind {@code scan:} has no
 * index: the rows of the condition before {@code scan:}, or of the tenant, are read in ranges of the key, and the others dropped.
 * The key is the order in which an index has the rows. Columns are separated by semicolons. A line {@code never | reason | table |
 * columns} names a table that is not exported.
 *
 * @param within the condition of the rows that are read
 * @param match the condition of the rows that are shown
 * @param keys the columns of the key
 * @param columns the shown columns in SQL
 */
record PersonSource(
        String name, String title, String table, String within, String match, List<String> keys, String columns) {
    private static final String NEVER = "never";
    private static final String SCAN = "scan:";
    private static final String TENANT = "tenant = :tenant";

    /** The lines of a service, without tables that are not exported. */
    static List<PersonSource> of(String service) {
        var path = "/db/person/" + service + ".txt";
        try (var file = Objects.requireNonNull(PersonSource.class.getResourceAsStream(path), path)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" \\| ?", -1))
                    .filter(parts -> !parts[0].equals(NEVER))
                    .map(PersonSource::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PersonSource of(String[] parts) {
        var rows = parts[3];
        int scan = rows.indexOf(SCAN);
        var within = (scan < 0 ? rows : rows.substring(0, scan)).strip();
        var match = scan < 0 ? "true" : rows.substring(scan + SCAN.length()).strip();
        return new PersonSource(
                parts[0],
                parts[1],
                parts[2],
                conditions(within),
                // all tenants share the shards of a log, whose index does not begin with the tenant
                isOfLog(within) ? TENANT + " AND (" + match + ")" : match,
                List.of(parts[4].split(" ")),
                parts[5].replace(";", ","));
    }

    private static boolean isOfLog(String within) {
        return within.contains(":shard");
    }

    private static String conditions(String within) {
        var conditions = new ArrayList<String>();
        if (!isOfLog(within)) {
            conditions.add(TENANT);
        }
        if (!within.isEmpty()) {
            conditions.add("(" + within + ")");
        }
        return String.join(" AND ", conditions);
    }

    /** Whether the rows are those of one room, which the request names. */
    boolean isOfRoom() {
        return within.contains(":room");
    }

    boolean isScan() {
        return !match.equals("true");
    }
}
