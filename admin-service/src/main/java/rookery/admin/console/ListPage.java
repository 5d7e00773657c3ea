// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** One page of a list of the administration API (contract.md 5.2). */
final class ListPage {
    static final int ROWS = 50;

    private static final JsonMapper JSON = JsonMapper.shared();

    private ListPage() {}

    /** The query of the API for a query of the console: search, order, place, and the number of rows. */
    static MultiValueMap<String, String> query(MultiValueMap<String, String> asked) {
        var query = new LinkedMultiValueMap<String, String>();
        copy(asked, query, "search");
        copy(asked, query, "from");
        copy(asked, query, "order_by");
        copy(asked, query, "dir");
        query.add("limit", Integer.toString(ROWS));
        return query;
    }

    /**
     * The variables of the page of a list.
     *
     * @param usual the order without a choice: the field, and {@code b} for backwards
     */
    static Map<String, Object> model(Object list, MultiValueMap<String, String> asked, String usual, String usualDir) {
        var order = value(asked, "order_by");
        var model = new HashMap<String, Object>();
        model.put("list", list);
        model.put("search", value(asked, "search"));
        model.put("filter", value(asked, "filter"));
        model.put("order", order.isEmpty() ? usual : order);
        model.put("dir", order.isEmpty() ? usualDir : value(asked, "dir"));
        return model;
    }

    static void copy(MultiValueMap<String, String> from, MultiValueMap<String, String> to, String name) {
        var value = from.getFirst(name);
        if (value != null && !value.isBlank()) {
            to.add(name, value);
        }
    }

    /** The value of a parameter; empty if absent. */
    static String value(MultiValueMap<String, String> query, String name) {
        String value = query.getFirst(name);
        return value == null ? "" : value;
    }

    /** The document of an answer that is sent in pieces. */
    static <T> Mono<T> read(Flux<String> pieces, Class<T> type) {
        return pieces.collect(Collectors.joining()).map(text -> JSON.readValue(text, type));
    }

    /** A JSON value as one of our records. */
    static <T> T as(Object json, Class<T> type) {
        return JSON.convertValue(json, type);
    }

    /** The text of an absent value is empty. */
    static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
