// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import java.util.List;
import rookery.platform.http.PageBytes;

/**
 * Ordered rows up to a number, and up to the bytes of a page; the row that reaches the bytes is the last row.
 *
 * @param cut whether the bytes ended the page, so that further rows may exist
 */
public record BoundedRows<T>(List<SizedRow<T>> rows, boolean cut) {
    // octet_length reads only the length of a text in TOAST storage, so the bodies of rows left out are not read
    private static final String BOUNDED = """
            SELECT p.*, octet_length(p.body) AS bytes
              FROM (SELECT r.*, sum(octet_length(r.body)) OVER (ORDER BY PLACE) - octet_length(r.body) AS before
                      FROM (ROWS) r) p
             WHERE p.before < MAX
             ORDER BY PLACE
            """;

    /** A row and the bytes of its body. */
    public record SizedRow<T>(T row, int bytes) {}

    /**
     * Wraps a statement so that its rows are bounded by bytes, with a further column {@code bytes}.
     *
     * @param rows statement with a column {@code body}
     * @param place the unique sort column and its direction, such as {@code pos DESC}
     */
    public static String sql(String rows, String place) {
        return sql(rows, place, PageBytes.PAGE_MAX);
    }

    /** Wraps a statement with another bound than the bytes of a page. */
    public static String sql(String rows, String place, int bytes) {
        return BOUNDED.replace("MAX", String.valueOf(bytes))
                .replace("PLACE", place)
                .replace("ROWS", rows);
    }

    public static <T> BoundedRows<T> of(List<SizedRow<T>> rows) {
        long bytes = rows.stream().mapToLong(SizedRow::bytes).sum();
        return new BoundedRows<>(rows, bytes >= PageBytes.PAGE_MAX);
    }
}
