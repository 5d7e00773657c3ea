// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.time.Clock;
import java.util.List;
import org.springframework.stereotype.Component;
import rookery.platform.event.EventText;
import rookery.platform.event.EventText.Reader;
import rookery.sync.ring.RoomPart.Line;
import tools.jackson.core.JsonGenerator;

/** Writes events for a reader. */
@Component
public class EventLines {
    private final Clock clock;

    EventLines(Clock clock) {
        this.clock = clock;
    }

    public void write(String name, Poll poll, List<Line> lines, JsonGenerator json) {
        long nowMillis = clock.millis();
        json.writeArrayPropertyStart(name);
        for (var line : lines) {
            var reader = new Reader(poll.reader.user(), poll.device, line.membership(), line.sawPrevious());
            json.writeRawValue(EventText.render(line.ringEvent().event(), null, reader, line.relations(), nowMillis));
        }
        json.writeEndArray();
    }
}
