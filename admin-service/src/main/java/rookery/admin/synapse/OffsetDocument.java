// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import rookery.platform.http.ListLines;
import rookery.platform.http.ListLines.End;
import rookery.platform.http.ListLines.Head;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts the lines of {@link ListLines} into a list of Synapse's API, item by item: memory use does not depend on the list's
 * length.
 *
 * @param items the name of the array
 * @param total the name of the number of all items
 * @param next the name of the offset of the next page, which is absent on the last page
 * @param previous the name of the offset of the page before, or null for a list without it
 * @param isText whether the offset of the next page is a string
 * @param shape converts an item
 */
record OffsetDocument(
        String items,
        String total,
        String next,
        @Nullable String previous,
        boolean isText,
        UnaryOperator<ObjectNode> shape) {
    private static final String END = "{\"end\":";
    private static final JsonMapper JSON = JsonMapper.shared();

    /** An error in the lines cuts the document short. */
    Flux<String> of(OffsetQuery page, Flux<String> lines) {
        return Flux.defer(() -> {
            var number = new AtomicInteger();
            return lines.filter(line -> !line.isEmpty()).map(line -> piece(page, line, number.getAndIncrement()));
        });
    }

    private String piece(OffsetQuery page, String line, int number) {
        if (number == 0) {
            long all = JSON.readValue(line, Head.class).total();
            return "{\"%s\":%d,\"%s\":[".formatted(total, all, items);
        }
        if (line.startsWith(END)) {
            return ending(page, JSON.readValue(line, End.class), number - 1);
        }
        var item = JSON.writeValueAsString(shape.apply(JSON.readValue(line, ObjectNode.class)));
        return number == 1 ? item : "," + item;
    }

    private String ending(OffsetQuery page, End end, int written) {
        if (end.end() != written) {
            throw new IllegalStateException("the list was cut off");
        }
        var text = new StringBuilder("]");
        if (end.next() != null) {
            var offset = String.valueOf(page.from() + written);
            text.append(",\"%s\":%s".formatted(next, isText ? '"' + offset + '"' : offset));
        }
        if (previous != null) {
            text.append(",\"offset\":%d".formatted(page.from()));
            if (page.from() > 0) {
                text.append(",\"%s\":%d".formatted(previous, Math.max(0, page.from() - page.limit())));
            }
        }
        return text.append('}').toString();
    }
}
