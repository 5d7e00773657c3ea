// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.SortKey;

/**
 * The order of rows in a list for administrators, and where a page of the list begins.
 *
 * @param number the column of numbers that is compared; null for a list ordered by ids
 * @param id the column of ids, which are compared where the numbers are equal
 */
public record RowOrder(@Nullable String number, String id, boolean backwards) {
    /** The refusal of an order that a list does not have. */
    public static ApiException unknown(String names) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, "the list can be ordered by " + names);
    }

    /** The content of ORDER BY. */
    public String columns() {
        var direction = backwards ? " DESC" : "";
        return (number == null ? "" : number + direction + ", ") + id + direction;
    }

    /** The expression of {@link #key} in SQL. */
    public String key() {
        return number == null ? id : number + " || '_' || " + id;
    }

    /** The key of a row: the next page begins after this key. */
    public String key(long value, String rowId) {
        return number == null ? rowId : new SortKey(value, rowId).text();
    }

    /** The condition for the rows after a key; empty for the first page. */
    public String condition(String after) {
        if (after.isEmpty()) {
            return "";
        }
        var columns = number == null ? id : "(" + number + ", " + id + ")";
        var place = number == null ? ":after" : "(:number, :after)";
        return " AND " + columns + (backwards ? " < " : " > ") + place;
    }

    /** Binds the parameters of {@link #condition}. M_INVALID_PARAM for a malformed key. */
    public GenericExecuteSpec bound(GenericExecuteSpec page, String after) {
        if (after.isEmpty()) {
            return page;
        }
        if (number == null) {
            return page.bind("after", after);
        }
        var key = SortKey.of(after);
        return page.bind("number", key.number()).bind("after", key.id());
    }
}
