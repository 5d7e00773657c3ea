package rookery.room.table;

import java.util.List;
import rookery.platform.http.PageBytes;

/**
 * Rows in their order, up to a number and up to the bytes that a page may have; the row that reaches those is the last one.
 *
 * @param cut whether the bytes were reached, so that others may follow
 */
public record BoundedRows<T>(List<SizedRow<T>> rows, boolean cut) {
    // octet_length of a text that is stored elsewhere reads only its length, so what is left out is not read
    private static final String BOUNDED = """
            SELECT p.*, octet_length(p.body) AS bytes
              FROM (SELECT r.*, sum(octet_length(r.body)) OVER (ORDER BY PLACE) - octet_length(r.body) AS before
                      FROM (ROWS) r) p
             WHERE p.before < MAX
             ORDER BY PLACE
            """;

    /** A row, and how many bytes its body has. */
    public record SizedRow<T>(T row, int bytes) {}

    /**
     * A statement for the same rows with a column {@code bytes}.
     *
     * @param rows statement with a column {@code body}
     * @param place the unique column that it sorts by, and how, such as {@code pos DESC}
     */
    public static String sql(String rows, String place) {
        return sql(rows, place, PageBytes.PAGE_MAX);
    }

    /** The same for another number of bytes than a page may have. */
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
