// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.ListOrder;

/** A page as tools request it: at most {@code limit} items after the first {@code from}. Null is no search. */
record OffsetQuery(int from, int limit, @Nullable String search) {
    /** The owner of a list skips items by reading an index, so that an offset costs time in proportion. */
    private static final int FROM_MAX = 1_000_000;

    private static final int LIMIT_MAX = 1_000;
    private static final int USUAL_LIMIT = 100;
    private static final int SEARCH_MAX = 256;

    /**
     * M_INVALID_PARAM for an offset that is not a number up to 1,000,000, a limit below 1, and a search of more than 256 characters.
     * A greater limit than 1,000 is reduced.
     *
     * @param searches the parameters that may contain the search; the first one counts
     */
    static OffsetQuery of(MultiValueMap<String, String> query, String... searches) {
        int limit = number(query, "limit", USUAL_LIMIT, 1, Integer.MAX_VALUE);
        return new OffsetQuery(
                number(query, "from", 0, 0, FROM_MAX), Math.min(limit, LIMIT_MAX), search(query, searches));
    }

    private static int number(MultiValueMap<String, String> query, String name, int usual, int least, int most) {
        var text = query.getFirst(name);
        if (text == null) {
            return usual;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw new ApiException(ErrorCode.M_INVALID_PARAM, "%s is a number from %d to %d".formatted(name, least, most));
    }

    private static @Nullable String search(MultiValueMap<String, String> query, String... names) {
        for (String name : names) {
            var text = query.getFirst(name);
            if (text != null && text.length() > SEARCH_MAX) {
                throw new ApiException(ErrorCode.M_INVALID_PARAM, "search for at most " + SEARCH_MAX + " characters");
            }
            if (text != null && !text.isEmpty()) {
                return text;
            }
        }
        return null;
    }

    /**
     * The order that the query asks for; null, which is the usual order of the list, for all others.
     *
     * @param orders the orders by the name that tools use, in the direction {@code f}
     */
    static @Nullable ListOrder order(MultiValueMap<String, String> query, Map<String, ListOrder> orders) {
        var by = query.getFirst("order_by");
        var order = by == null ? null : orders.get(by);
        return order == null || !"b".equals(query.getFirst("dir"))
                ? order
                : new ListOrder(order.by(), !order.backwards());
    }

    /** M_INVALID_PARAM if the query has one of these filters, whose absence would make the list longer than requested. */
    static void refuse(MultiValueMap<String, String> query, String... filters) {
        for (String filter : filters) {
            var value = query.getFirst(filter);
            if (value != null && !value.isEmpty()) {
                throw new ApiException(ErrorCode.M_INVALID_PARAM, "there is no filter " + filter);
            }
        }
    }
}
