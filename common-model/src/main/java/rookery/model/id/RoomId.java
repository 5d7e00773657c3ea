// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** A room id, such as {@code !k3J…:example.org}; opaque, case-sensitive and never reused (contract.md 2.5). */
public record RoomId(@JsonValue String value) {
    public RoomId {
        Ids.requireSigil(value, '!', "room id");
        Ids.domain(value, "room id");
    }

    public boolean isOf(ServerName server) {
        return Ids.domain(value, "room id").equals(server.value());
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
