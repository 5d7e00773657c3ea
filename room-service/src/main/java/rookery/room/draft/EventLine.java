// SPDX-License-Identifier: Apache-2.0
package rookery.room.draft;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import tools.jackson.core.io.JsonStringEncoder;

/** The stored text of an event: canonical JSON without {@code room_id}, a column of the log entry (contract.md 9.1, 9.2). */
public final class EventLine {
    /** The maximal size of an event as canonical JSON with the room id. */
    public static final int BYTES_MAX = 65_536;

    private static final int ENTROPY_BYTES = 32;
    private static final int TIMESTAMP_DIGITS = 13;

    private EventLine() {}

    /** A random event id of 256 bits, unique and not guessable. */
    public static EventId newId(RandomGenerator random) {
        byte[] bytes = new byte[ENTROPY_BYTES];
        random.nextBytes(bytes);
        return new EventId("$" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    public static String write(
            EventId id, String type, @Nullable String stateKey, UserId sender, EventText text, long ts) {
        var out = new StringBuilder(text.content().length() + 200);
        out.append("{\"content\":").append(text.content());
        quoted(out.append(",\"event_id\":"), id.value());
        out.append(",\"origin_server_ts\":").append(ts);
        // also outside of the content, where clients of older room versions look (contract.md 9.1)
        if (text.redacts() != null) {
            quoted(out.append(",\"redacts\":"), text.redacts());
        }
        quoted(out.append(",\"sender\":"), sender.value());
        if (stateKey != null) {
            quoted(out.append(",\"state_key\":"), stateKey);
        }
        quoted(out.append(",\"type\":"), type);
        return out.append('}').toString();
    }

    /** The size of the event as canonical JSON with the room id. */
    public static int bytes(
            EventId id, RoomId room, String type, @Nullable String stateKey, UserId sender, EventText text) {
        long anyTime = (long) Math.pow(10, TIMESTAMP_DIGITS - 1);
        String stored = write(id, type, stateKey, sender, text, anyTime);
        return stored.getBytes(UTF_8).length
                + ",\"room_id\":\"\"".length()
                + room.value().getBytes(UTF_8).length;
    }

    private static void quoted(StringBuilder out, String text) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        out.append('"');
    }
}
