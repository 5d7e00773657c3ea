// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;
import rookery.platform.json.JsonText;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The encrypted key of one Megolm session. The fields that decide between two keys of the same session are not encrypted. */
record BackupSession(RoomId room, String id, Data data) {
    private static final int ID_BYTES_MAX = 255;
    private static final int DATA_BYTES_MAX = 16 << 10;

    /** The {@code KeyBackupData} of the specification. */
    record Data(
            @JsonProperty("first_message_index") long firstMessageIndex,
            @JsonProperty("forwarded_count") long forwardedCount,
            @JsonProperty("is_verified") boolean isVerified,
            @JsonProperty("session_data") JsonText sessionData) {}

    /** M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM, M_TOO_LARGE; {@link #ofRoom} and {@link #ofRooms} likewise. */
    static BackupSession of(RoomId room, String id, JsonBody body) {
        var _ = requireId(id);
        String data = CanonicalJson.write(body.object("session_data").json());
        if (data.getBytes(StandardCharsets.UTF_8).length > DATA_BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "session_data has at most " + DATA_BYTES_MAX + " bytes");
        }
        return new BackupSession(
                room,
                id,
                new Data(
                        count(body, "first_message_index"),
                        count(body, "forwarded_count"),
                        body.bool("is_verified"),
                        new JsonText(data)));
    }

    /** M_INVALID_PARAM for an invalid session ID. */
    static String requireId(String id) {
        if (id.isEmpty()
                || id.getBytes(StandardCharsets.UTF_8).length > ID_BYTES_MAX
                || id.codePoints().anyMatch(BackupSession::isNoText)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a session's id has 1 to " + ID_BYTES_MAX + " bytes");
        }
        return id;
    }

    /** The sessions of one room: {@code {"sessions":{…}}}. */
    static List<BackupSession> ofRoom(RoomId room, JsonBody body) {
        var sessions = new ArrayList<BackupSession>();
        for (var session : body.object("sessions").json().properties()) {
            sessions.add(of(room, session.getKey(), object(session.getValue())));
        }
        return sessions;
    }

    /** The sessions of several rooms: {@code {"rooms":{…}}}. */
    static List<BackupSession> ofRooms(JsonBody body) {
        var sessions = new ArrayList<BackupSession>();
        for (var room : body.object("rooms").json().properties()) {
            sessions.addAll(ofRoom(new RoomId(room.getKey()), object(room.getValue())));
        }
        return sessions;
    }

    private static boolean isNoText(int c) {
        return Character.isISOControl(c) || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static long count(JsonBody body, String field) {
        var value = body.optionalInteger(field);
        if (value == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field " + field + " is missing");
        }
        if (value < 0) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the field " + field + " is not negative");
        }
        return value;
    }

    private static JsonBody object(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return new JsonBody(object);
        }
        throw new ApiException(ErrorCode.M_BAD_JSON, "rooms and sessions are objects");
    }
}
