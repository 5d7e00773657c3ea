// SPDX-License-Identifier: Apache-2.0
package rookery.admin.list;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import rookery.platform.http.ListLines;
import rookery.platform.http.ListLines.End;
import rookery.platform.http.ListLines.Head;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts the lines of {@link ListLines} into one JSON document, piece by piece: memory use does not depend on the
 * list's length.
 */
public final class ListDocument {
    private static final String END = "{\"end\":";
    private static final JsonMapper JSON = JsonMapper.shared();

    private ListDocument() {}

    /** {@code {"total":n,"FIELD":[...],"next_batch":"..."}}. An error in the lines cuts the document short. */
    public static Flux<String> of(String field, Flux<String> lines) {
        return Flux.defer(() -> {
            var number = new AtomicInteger();
            return lines.filter(line -> !line.isEmpty()).map(line -> piece(field, line, number.getAndIncrement()));
        });
    }

    private static String piece(String field, String line, int number) {
        if (number == 0) {
            long total = JSON.readValue(line, Head.class).total();
            return "{\"total\":" + total + ",\"" + field + "\":[";
        }
        if (line.startsWith(END)) {
            return ending(JSON.readValue(line, End.class), number - 1);
        }
        return number == 1 ? line : "," + line;
    }

    private static String ending(End end, int written) {
        if (end.end() != written) {
            throw new IllegalStateException("the list was cut off");
        }
        return "]" + next(end.next()) + "}";
    }

    private static String next(@Nullable String key) {
        return key == null ? "" : ",\"next_batch\":" + JSON.writeValueAsString(key);
    }
}
