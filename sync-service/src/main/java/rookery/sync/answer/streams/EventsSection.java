// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes a section {@code "name": {"events": [...]}} of an answer. */
final class EventsSection {
    private EventsSection() {}

    /** @param events null for an empty section */
    static <T> void write(String name, @Nullable List<T> events, Consumer<T> write, JsonGenerator json) {
        json.writeObjectPropertyStart(name);
        writeArray("events", events, write, json);
        json.writeEndObject();
    }

    /** @param events null for an empty array */
    static <T> void writeArray(String name, @Nullable List<T> events, Consumer<T> write, JsonGenerator json) {
        json.writeArrayPropertyStart(name);
        if (events != null) {
            events.forEach(write);
        }
        json.writeEndArray();
    }
}
