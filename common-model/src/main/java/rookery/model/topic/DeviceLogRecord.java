// SPDX-License-Identifier: Apache-2.0
package rookery.model.topic;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;

/**
 * Entries of the user log about a user's devices and their encryption; the user is the {@link LogRecord}'s subject. Separate from
 * {@link UserLogRecord}, because most followers of the log do not need them.
 */
public sealed interface DeviceLogRecord {
    /** Kind of {@link ToDeviceSent}. */
    String TO_DEVICE = "to_device";
    /** Kind of {@link KeyCountsSet}. */
    String KEY_COUNTS = "key_counts";
    /** Kind of {@link DeviceKeysChanged}. */
    String DEVICE_KEYS = "device_keys";

    /** A to-device message for one device of the user; the entry is deleted once the device has received it. */
    record ToDeviceSent(DeviceId device, String type, UserId sender, String contentJson) implements DeviceLogRecord {}

    /**
     * The keys of the device that other users can still claim, from here on.
     *
     * @param oneTimeKeys the number by algorithm; {@code signed_curve25519} also with 0
     * @param unusedFallback the algorithms of fallback keys that are not claimed yet
     */
    record KeyCountsSet(
            DeviceId device,
            @JsonProperty("one_time_keys") Map<String, Long> oneTimeKeys,
            @JsonProperty("unused_fallback") List<String> unusedFallback)
            implements DeviceLogRecord {}

    /**
     * A user's devices or keys have changed. If the user is the subject, all users in shared rooms must learn of the change;
     * otherwise only the subject, who has signed the other user's key.
     */
    record DeviceKeysChanged(UserId user) implements DeviceLogRecord {}
}
