package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** A room's id, such as {@code !k3J…:example.org}; opaque, case-sensitive and never used again (CONTRACT.md 2.5). */
public record RoomId(@JsonValue String value) {
    public RoomId {
        Ids.requireSigil(value, '!', "room id");
        Ids.domain(value, "room id");
    }

    public boolean isOf(ServerName server) {
        return Ids.domain(value, "room id").equals(server.value());
    }
}
