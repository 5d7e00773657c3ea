// SPDX-License-Identifier: Apache-2.0
package rookery.platform.transfer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A table in the file {@code db/transfer/SERVICE.txt}, which lists all tables of a service in the order of their import.
 *
 * @param positions the columns with positions and epochs of logs
 * @param falseColumns the columns that are false at first, whatever the export has
 */
record TransferTable(String name, Kind kind, List<PositionColumn> positions, List<String> falseColumns) {
    private static final String FALSE = "=false";

    enum Kind {
        DATA,
        /** Left out on request: the devices of users, their tokens and keys. */
        SESSIONS,
        /** Work from which entries of a log follow: stored when the logs are complete. */
        LATE,
        NEVER
    }

    /**
     * A column with the position or the epoch of a log.
     *
     * @param log empty for the service's own log
     */
    record PositionColumn(String name, String log) {
        private static PositionColumn of(String text) {
            int at = text.indexOf('@');
            return at < 0
                    ? new PositionColumn(text, "")
                    : new PositionColumn(text.substring(0, at), text.substring(at + 1));
        }
    }

    static List<TransferTable> of(String service) {
        var path = "/db/transfer/" + service + ".txt";
        try (var file = Objects.requireNonNull(TransferTable.class.getResourceAsStream(path), path)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(TransferTable::line)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TransferTable line(String line) {
        var parts = line.split(": ?", -1);
        var columns = parts.length > 2 && !parts[2].isBlank() ? List.of(parts[2].split(" ")) : List.<String>of();
        return new TransferTable(
                parts[0],
                Kind.valueOf(parts[1].strip().toUpperCase(Locale.ROOT)),
                columns.stream()
                        .filter(column -> !column.endsWith(FALSE))
                        .map(PositionColumn::of)
                        .toList(),
                columns.stream()
                        .filter(column -> column.endsWith(FALSE))
                        .map(column -> column.substring(0, column.length() - FALSE.length()))
                        .toList());
    }
}
