// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;

/** An event's id: {@code $} and 43 characters of URL-safe base64; unique over all rooms (contract.md 2.5). */
public record EventId(@JsonValue String value) {
    public EventId {
        Ids.requireSigil(value, '$', "event id");
    }

    /**
     * Returns null for text that is not an event id. Not named {@code of}, because Spring converts path variables by that name.
     */
    public static @Nullable EventId parse(String value) {
        try {
            return new EventId(value);
        } catch (ApiException e) {
            return null;
        }
    }
}
