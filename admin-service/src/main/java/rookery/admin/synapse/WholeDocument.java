// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import rookery.platform.http.ListLines;
import rookery.platform.http.ListLines.End;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts the lines of {@link ListLines} into one JSON document without pages, item by item: memory use does not depend on the
 * list's length.
 */
final class WholeDocument {
    private static final String HEAD = "{\"total\":";
    private static final String END = "{\"end\":";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final String items;
    private final UnaryOperator<String> shape;
    private int read;
    private int written;
    private boolean isOpen;

    private WholeDocument(String items, UnaryOperator<String> shape) {
        this.items = items;
        this.shape = shape;
    }

    /** {@code {"ITEMS":[...],"total":n}}. An error in the lines cuts the document short. */
    static Flux<String> of(String items, Flux<String> lines) {
        return of(items, lines, UnaryOperator.identity());
    }

    /**
     * The same of converted items.
     *
     * @param shape returns an empty text for an item that is left out
     */
    static Flux<String> of(String items, Flux<String> lines, UnaryOperator<String> shape) {
        return Flux.defer(() -> {
            var document = new WholeDocument(items, shape);
            return lines.filter(line -> !line.isEmpty() && !line.startsWith(HEAD))
                    .map(document::piece)
                    .filter(piece -> !piece.isEmpty());
        });
    }

    private String piece(String line) {
        var before = isOpen ? "" : "{\"" + items + "\":[";
        isOpen = true;
        if (line.startsWith(END)) {
            if (JSON.readValue(line, End.class).end() != read) {
                throw new IllegalStateException("the list was cut off");
            }
            return before + "],\"total\":" + written + "}";
        }
        read++;
        var item = shape.apply(line);
        if (item.isEmpty()) {
            return before;
        }
        return before + (written++ == 0 ? "" : ",") + item;
    }
}
