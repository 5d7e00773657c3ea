// SPDX-License-Identifier: Apache-2.0
package rookery.admin.list;

import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The paging and search parameters of a list, which continues after {@code from}. Null is no limit, and no search. */
public record ListQuery(
        String from, @Nullable Integer limit, @Nullable String search) {
    private static final int LIMIT_MAX = 1_000;
    private static final int SEARCH_MAX = 256;

    /** M_INVALID_PARAM for a limit that is not a number between 1 and 1,000, and for a search of more than 256 characters. */
    public static ListQuery of(MultiValueMap<String, String> query) {
        var from = query.getFirst("from");
        var search = query.getFirst("search");
        if (search != null && search.length() > SEARCH_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "search for at most " + SEARCH_MAX + " characters");
        }
        return new ListQuery(
                from == null ? "" : from.replace('\0', '\uFFFD'),
                limit(query.getFirst("limit")),
                search == null || search.isEmpty() ? null : search);
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
