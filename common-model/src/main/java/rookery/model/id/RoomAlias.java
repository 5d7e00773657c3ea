// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** A room alias, such as {@code #lobby:example.org} (contract.md 2.5). */
public record RoomAlias(@JsonValue String value) {
    public RoomAlias {
        Ids.requireSigil(value, '#', "room alias");
        Ids.domain(value, "room alias");
        if (value.indexOf(':') == 1) {
            throw Ids.invalid("a room alias has a name before the colon");
        }
    }

    public static RoomAlias of(String localpart, ServerName server) {
        if (localpart.indexOf(':') >= 0) {
            throw Ids.invalid("the local part of an alias has no colon");
        }
        return new RoomAlias("#" + localpart + ":" + server.value());
    }

    public boolean isOf(ServerName server) {
        return Ids.domain(value, "room alias").equals(server.value());
    }
}
