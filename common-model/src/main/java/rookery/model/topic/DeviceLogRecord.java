package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;

/**
 * What the user log tells of a user's devices and their encryption; the user is the {@link LogRecord}'s subject. Apart from
 * {@link UserLogRecord}: most of those who follow the log have nothing to do with it.
 */
public sealed interface DeviceLogRecord {
    /** Kind of {@link ToDeviceSent}. */
    String TO_DEVICE = "to_device";
    /** Kind of {@link KeyCountsSet}. */
    String KEY_COUNTS = "key_counts";
    /** Kind of {@link DeviceKeysChanged}. */
    String DEVICE_KEYS = "device_keys";

    /** Somebody sent this to one device of the user; the entry is deleted once the device has it. */
    record ToDeviceSent(DeviceId device, String type, UserId sender, String contentJson) implements DeviceLogRecord {}

    /**
     * What others can still claim of the device, from here on.
     *
     * @param oneTimeKeys how many, by algorithm; {@code signed_curve25519} also when there is none
     * @param unusedFallback the algorithms whose fallback key nobody was given yet
     */
    record KeyCountsSet(
            DeviceId device,
            @JsonProperty("one_time_keys") Map<String, Long> oneTimeKeys,
            @JsonProperty("unused_fallback") List<String> unusedFallback)
            implements DeviceLogRecord {}

    /**
     * Devices or keys of somebody are others from here on: for everybody if it is the subject itself, which then all who share a room
     * must hear of; else for the subject only, who signed the other one's key.
     */
    record DeviceKeysChanged(UserId user) implements DeviceLogRecord {}
}
