// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/** A tenant's public name: the part of its user ids behind the colon, such as {@code chat.example} or {@code localhost}. */
public record ServerName(@JsonValue String value) {
    private static final Pattern GRAMMAR = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[0-9A-Za-z.-]+)(:[0-9]{1,5})?");
    private static final int CHARS_MAX = 230;

    public ServerName {
        if (value.length() > CHARS_MAX || !GRAMMAR.matcher(value).matches()) {
            throw Ids.invalid("not a server name");
        }
    }
}
