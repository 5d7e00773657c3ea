// SPDX-License-Identifier: Apache-2.0
package rookery.admin.list;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.ListOrder;

/** The parameters of a list, which continues after {@code from}. Null is no limit, no search, and the usual order of the list. */
public record ListQuery(
        String from,
        @Nullable Integer limit,
        @Nullable String search,
        @Nullable ListOrder order) {
    private static final int LIMIT_MAX = 1_000;
    private static final int SEARCH_MAX = 256;

    /**
     * M_INVALID_PARAM for a limit that is not a number between 1 and 1,000, a search of more than 256 characters, and an order that the
     * list does not have.
     *
     * @param orders the fields by which the list can be ordered
     */
    public static ListQuery of(MultiValueMap<String, String> query, String... orders) {
        var from = query.getFirst("from");
        var search = query.getFirst("search");
        if (search != null && search.length() > SEARCH_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "search for at most " + SEARCH_MAX + " characters");
        }
        return new ListQuery(
                from == null ? "" : from.replace('\0', '\uFFFD'),
                limit(query.getFirst("limit")),
                search == null || search.isEmpty() ? null : search,
                order(query, List.of(orders)));
    }

    private static @Nullable ListOrder order(MultiValueMap<String, String> query, List<String> orders) {
        var by = query.getFirst("order_by");
        if (by == null || orders.isEmpty()) {
            return null;
        }
        if (query.getFirst("limit") == null) {
            // each portion of a complete list would sort the whole list, whose fields change meanwhile
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "order_by needs limit: only pages are ordered");
        }
        if (!orders.contains(by)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "order_by is one of " + String.join(", ", orders));
        }
        return switch (query.getFirst("dir")) {
            case null -> new ListOrder(by, false);
            case "f" -> new ListOrder(by, false);
            case "b" -> new ListOrder(by, true);
            default -> throw new ApiException(ErrorCode.M_INVALID_PARAM, "dir is f or b");
        };
    }

    private static @Nullable Integer limit(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= LIMIT_MAX) {
                return limit;
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw new ApiException(ErrorCode.M_INVALID_PARAM, "limit is a number from 1 to " + LIMIT_MAX);
    }

    /** Null if the parameter is absent; M_INVALID_PARAM if the value is neither {@code true} nor {@code false}. */
    public static @Nullable Boolean flag(MultiValueMap<String, String> query, String name) {
        var text = query.getFirst(name);
        return switch (text) {
            case null -> null;
            case "true" -> true;
            case "false" -> false;
            default -> throw new ApiException(ErrorCode.M_INVALID_PARAM, name + " is true or false");
        };
    }
}
