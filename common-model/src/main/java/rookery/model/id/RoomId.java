// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * A room id, such as {@code !k3J…:example.org}, or the hash of the create event without a server name, from room version 12 on;
 * opaque, case-sensitive and never reused (contract.md 2.5).
 */
public record RoomId(@JsonValue String value) {
    private static final Pattern HASH = Pattern.compile("![A-Za-z0-9_-]{43}");

    public RoomId {
        Ids.requireSigil(value, '!', "room id");
        if (value.indexOf(':') >= 0 || !HASH.matcher(value).matches()) {
            Ids.domain(value, "room id");
        }
    }

    /** Whether the id is the hash of the create event and has no server name. */
    public boolean isHash() {
        return value.indexOf(':') < 0;
    }

    /** A short form for long lists of rooms: FNV-1a of 64 bits, the same in every process. */
    public long hash() {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < value.length(); i++) {
            hash = (hash ^ value.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
