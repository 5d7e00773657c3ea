package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** A room's id, such as {@code !k3J…:example.org}; opaque, case-sensitive and never used again (contract.md 2.5). */
public record RoomId(@JsonValue String value) {
    public RoomId {
        Ids.requireSigil(value, '!', "room id");
        Ids.domain(value, "room id");
    }

    public boolean isOf(ServerName server) {
        return Ids.domain(value, "room id").equals(server.value());
    }

    /** A short stand-in where a list of rooms would be too long: FNV-1a of 64 bits, the same in every process. */
    public long hash() {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < value.length(); i++) {
            hash = (hash ^ value.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
