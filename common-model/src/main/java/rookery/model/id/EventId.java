package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;

/** An event's id: {@code $} and 43 characters of URL-safe base64; unique over all rooms (CONTRACT.md 2.5). */
public record EventId(@JsonValue String value) {
    public EventId {
        Ids.requireSigil(value, '$', "event id");
    }

    /**
     * Null for text that is no event id, where that is to be passed over rather than refused. Not of a String: Spring would take
     * such a method for the way to read path variables, and answer 500 for null instead of what the constructor refuses.
     */
    public static @Nullable EventId of(CharSequence value) {
        try {
            return new EventId(value.toString());
        } catch (ApiException e) {
            return null;
        }
    }
}
