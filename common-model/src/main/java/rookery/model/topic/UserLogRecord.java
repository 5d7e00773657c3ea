// SPDX-License-Identifier: Apache-2.0
package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;

/** Entries of the user log; the user is the {@link LogRecord}'s subject. */
public sealed interface UserLogRecord {
    /** Kind of {@link AccountDataSet}. */
    String ACCOUNT_DATA = "account_data";
    /** Kind of {@link ProfileSet}. */
    String PROFILE = "profile";
    /** Kind of {@link SessionEnded}. */
    String SESSION_ENDED = "session_ended";
    /** Kind of {@link SessionLocked}. */
    String SESSION_LOCKED = "session_locked";
    /** Kind of {@link AccountChanged}. */
    String ACCOUNT = "account";

    /** The new content of one type of account data; {@code room} is null for global data. */
    record AccountDataSet(String type, @Nullable RoomId room, String contentJson) implements UserLogRecord {}

    /** The user's new profile; null for an unset field. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ProfileSet(
            @Nullable String displayname,
            @JsonProperty("avatar_url") @Nullable String avatarUrl) implements UserLogRecord {}

    /** The device is logged out: its waiting syncs end, and its tokens are refused already. */
    record SessionEnded(DeviceId device) implements UserLogRecord {}

    /** The account is blocked: the device's waiting syncs end, and its tokens are refused until the account is unblocked. */
    record SessionLocked(DeviceId device) implements UserLogRecord {}

    /** The account's new state; services must remove their data of an ended account. */
    record AccountChanged(AccountState state) implements UserLogRecord {}

    /** The states of an account. */
    enum AccountState {
        /** In use, also after the end of a block. */
        @JsonProperty("active")
        ACTIVE,
        /** Blocked by an administrator: no pushes are sent. */
        @JsonProperty("blocked")
        BLOCKED,
        /** Deactivated permanently. */
        @JsonProperty("ended")
        ENDED
    }
}
