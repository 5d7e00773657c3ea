// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/** A full user id, such as {@code @ada:example.org} (contract.md 2.5). */
public record UserId(@JsonValue String value) {
    private static final Pattern LOCALPART = Pattern.compile("[a-z0-9._=/+-]+");

    public UserId {
        Ids.requireSigil(value, '@', "user id");
        Ids.domain(value, "user id");
        if (!LOCALPART.matcher(value.substring(1, value.indexOf(':'))).matches()) {
            throw Ids.invalid("a user id is made of a-z 0-9 . _ = - / +");
        }
    }

    public static UserId of(String localpart, ServerName server) {
        return new UserId("@" + localpart + ":" + server.value());
    }

    public String localpart() {
        return value.substring(1, value.indexOf(':'));
    }

    /** The public name of the user's tenant. */
    public ServerName server() {
        return new ServerName(Ids.domain(value, "user id"));
    }

    /** Whether the user belongs to that tenant; for a tenant, users of other tenants do not exist. */
    public boolean isOf(ServerName server) {
        return Ids.domain(value, "user id").equals(server.value());
    }
}
