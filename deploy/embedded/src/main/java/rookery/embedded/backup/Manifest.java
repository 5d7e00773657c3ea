// SPDX-License-Identifier: Apache-2.0
package rookery.embedded.backup;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import rookery.embedded.Folders;
import rookery.embedded.ServerException;

/**
 * The description of a backup: the last entry of the file, so that a truncated file lacks it.
 *
 * @param version of Rookery that wrote the backup
 * @param taken the time of the snapshot
 * @param migrations the version and checksum of each applied migration, by service
 * @param heads of the logs, by schema such as {@code room}
 * @param tables by name, such as {@code room.log_entry}
 */
public record Manifest(
        String version,
        Instant taken,
        SortedMap<String, SortedMap<String, Integer>> migrations,
        SortedMap<String, LogHeads> heads,
        SortedMap<String, Table> tables) {
    static final String ENTRY = "manifest.properties";

    /** Raised when older versions cannot read the format any more. */
    private static final int FORMAT = 1;

    private static final String MIGRATIONS = "migrations.";
    private static final String HEADS = "heads.";
    private static final String TABLE = "table.";

    /** The last position of each shard. */
    public record LogHeads(long epoch, List<Long> positions) {
        public long entries() {
            return positions.stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * One table of the backup.
     *
     * @param columns in the order of the lines, as SQL identifiers
     * @param sha256 of the lines
     */
    record Table(long rows, String sha256, String columns) {}

    /** The number of rows in all tables. */
    public long rows() {
        return tables.values().stream().mapToLong(Table::rows).sum();
    }

    String text() {
        var lines = new ArrayList<String>();
        lines.add("format=" + FORMAT);
        lines.add("version=" + version);
        lines.add("taken=" + taken);
        migrations.forEach((service, checksums) -> lines.add(MIGRATIONS + service + "="
                + checksums.entrySet().stream()
                        .map(each -> each.getKey() + ":" + each.getValue())
                        .collect(Collectors.joining(" "))));
        heads.forEach((schema, log) -> lines.add(HEADS + schema + "=" + log.epoch + " "
                + log.positions.stream().map(String::valueOf).collect(Collectors.joining(" "))));
        tables.forEach(
                (name, table) -> lines.add(TABLE + name + "=" + table.rows + " " + table.sha256 + " " + table.columns));
        return String.join("\n", lines) + "\n";
    }

    static Manifest parse(String text) {
        var properties = Folders.parsed(text);
        if (!properties.getProperty("format", "").equals(Integer.toString(FORMAT))) {
            throw new ServerException(
                    "the backup was written by another version of Rookery, %s: restore it with that one"
                            .formatted(properties.getProperty("version", "unknown")));
        }
        var manifest = new Manifest(
                properties.getProperty("version", ""),
                Instant.parse(properties.getProperty("taken", "")),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
        properties.stringPropertyNames().forEach(key -> manifest.add(key, properties.getProperty(key)));
        return manifest;
    }

    private void add(String key, String value) {
        if (key.startsWith(MIGRATIONS)) {
            var checksums = new TreeMap<String, Integer>();
            for (String each : words(value)) {
                int colon = each.indexOf(':');
                checksums.put(each.substring(0, colon), Integer.valueOf(each.substring(colon + 1)));
            }
            migrations.put(key.substring(MIGRATIONS.length()), checksums);
        } else if (key.startsWith(HEADS)) {
            long[] numbers = words(value).stream().mapToLong(Long::parseLong).toArray();
            heads.put(
                    key.substring(HEADS.length()),
                    new LogHeads(
                            numbers[0], LongStream.of(numbers).skip(1).boxed().toList()));
        } else if (key.startsWith(TABLE)) {
            var words = value.split(" ", 3);
            tables.put(key.substring(TABLE.length()), new Table(Long.parseLong(words[0]), words[1], words[2]));
        }
    }

    private static List<String> words(String value) {
        return Arrays.stream(value.split(" ", -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
