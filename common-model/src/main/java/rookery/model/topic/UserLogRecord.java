package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;

/** What the user log tells; the user is the {@link LogRecord}'s subject. */
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

    /** The user's data of a type is now this; {@code room} is null for global data. */
    record AccountDataSet(String type, @Nullable RoomId room, String contentJson) implements UserLogRecord {}

    /** The user is shown so from now on; what is null is not set. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ProfileSet(
            @Nullable String displayname,
            @JsonProperty("avatar_url") @Nullable String avatarUrl) implements UserLogRecord {}

    /** The device is logged out: its parked polls end, its tokens are refused already. */
    record SessionEnded(DeviceId device) implements UserLogRecord {}

    /** The account is blocked: the device's parked polls end, its tokens are refused until that is taken back. */
    record SessionLocked(DeviceId device) implements UserLogRecord {}

    /** The account is now this; what services keep of an ended one must go. */
    record AccountChanged(AccountState state) implements UserLogRecord {}

    /** What an account can be. */
    enum AccountState {
        /** In use; also once more, after it was blocked. */
        @JsonProperty("active")
        ACTIVE,
        /** An administrator blocked it: nothing is pushed. */
        @JsonProperty("blocked")
        BLOCKED,
        /** Deactivated for good. */
        @JsonProperty("ended")
        ENDED
    }
}
