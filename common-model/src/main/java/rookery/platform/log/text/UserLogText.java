// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.text;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;
import tools.jackson.databind.json.JsonMapper;

/** Bodies of the user log: one line with the record's fields, and for account data a line with the content. */
public final class UserLogText {
    private static final JsonMapper JSON = JsonMapper.shared();

    private UserLogText() {}

    public static String kind(UserLogRecord record) {
        return switch (record) {
            case AccountDataSet _ -> UserLogRecord.ACCOUNT_DATA;
            case ProfileSet _ -> UserLogRecord.PROFILE;
            case SessionEnded _ -> UserLogRecord.SESSION_ENDED;
            case SessionLocked _ -> UserLogRecord.SESSION_LOCKED;
            case AccountChanged _ -> UserLogRecord.ACCOUNT;
        };
    }

    public static String write(UserLogRecord record) {
        return switch (record) {
            case AccountDataSet(var type, var room, var content) ->
                JSON.writeValueAsString(new DataMeta(type, room)) + "\n" + content;
            case ProfileSet profile -> JSON.writeValueAsString(profile);
            case SessionEnded ended -> JSON.writeValueAsString(ended);
            case SessionLocked locked -> JSON.writeValueAsString(locked);
            case AccountChanged changed -> JSON.writeValueAsString(changed);
        };
    }

    /** Returns null for a kind that this release does not know; the entry is skipped. */
    public static @Nullable UserLogRecord read(String kind, String body) {
        return switch (kind) {
            case UserLogRecord.ACCOUNT_DATA -> {
                int line = body.indexOf('\n');
                var meta = JSON.readValue(body.substring(0, line), DataMeta.class);
                yield new AccountDataSet(meta.type, meta.room, body.substring(line + 1));
            }
            case UserLogRecord.PROFILE -> JSON.readValue(body, ProfileSet.class);
            case UserLogRecord.SESSION_ENDED -> JSON.readValue(body, SessionEnded.class);
            case UserLogRecord.SESSION_LOCKED -> JSON.readValue(body, SessionLocked.class);
            case UserLogRecord.ACCOUNT -> JSON.readValue(body, AccountChanged.class);
            default -> null;
        };
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record DataMeta(String type, @Nullable RoomId room) {}
}
