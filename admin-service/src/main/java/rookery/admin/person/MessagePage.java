// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a person sent into a room, as a table of times and texts. */
final class MessagePage {
    static final String END = Html.END;
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int CHARACTERS_MAX = 1_000;

    private MessagePage() {}

    static String begin(String room, String roomId) {
        return Html.begin(room) + "<p>" + Html.text(roomId)
                + "</p><p>Only what this person sent is here. messages.ndjson has the complete events.</p><table>\n";
    }

    /** A row of the table for a line of the source {@code messages}. */
    static String row(String line) {
        var row = JSON.readTree(line);
        return "<tr><td><time>" + Instant.ofEpochMilli(row.path("ts").asLong()) + "</time></td><td>" + shown(row)
                + "</td></tr>\n";
    }

    private static String shown(JsonNode row) {
        var type = row.path("type").asString("");
        if (row.path("redacted").asBoolean()) {
            var original = row.path("original").path("content");
            return "<i>deleted</i> " + (original.isObject() ? content(type, original) : Html.text(type));
        }
        return content(type, row.path("event").path("content"));
    }

    private static String content(String type, JsonNode content) {
        if (type.equals("m.room.encrypted")) {
            return "<i>encrypted: the server cannot read this message</i>";
        }
        var body = content.path("body");
        if (type.equals("m.room.message") && body.isString()) {
            return Html.text(body.asString());
        }
        var json = JSON.writeValueAsString(content);
        return "<i>" + Html.text(type) + "</i> "
                + Html.text(json.length() > CHARACTERS_MAX ? json.substring(0, CHARACTERS_MAX) + " ..." : json);
    }
}
