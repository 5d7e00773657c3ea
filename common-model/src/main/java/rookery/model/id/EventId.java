package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** An event's id: {@code $} and 43 characters of URL-safe base64; unique over all rooms (CONTRACT.md 2.5). */
public record EventId(@JsonValue String value) {
    public EventId {
        Ids.requireSigil(value, '$', "event id");
    }
}
