// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.text;

import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.model.topic.DeviceLogRecord.KeyCountsSet;
import rookery.model.topic.DeviceLogRecord.ToDeviceSent;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bodies of {@link DeviceLogRecord}. A to-device message has three lines: the device alone, for lookups in SQL; type and sender;
 * the content.
 */
public final class DeviceLogText {
    private static final JsonMapper JSON = JsonMapper.shared();

    private DeviceLogText() {}

    public static String kind(DeviceLogRecord record) {
        return switch (record) {
            case ToDeviceSent _ -> DeviceLogRecord.TO_DEVICE;
            case KeyCountsSet _ -> DeviceLogRecord.KEY_COUNTS;
            case DeviceKeysChanged _ -> DeviceLogRecord.DEVICE_KEYS;
        };
    }

    public static String write(DeviceLogRecord record) {
        return switch (record) {
            case ToDeviceSent(var device, var type, var sender, var content) ->
                device.value() + "\n" + JSON.writeValueAsString(new MessageMeta(type, sender)) + "\n" + content;
            case KeyCountsSet counts -> JSON.writeValueAsString(counts);
            case DeviceKeysChanged changed -> JSON.writeValueAsString(changed);
        };
    }

    /** Returns null for another kind. */
    public static @Nullable DeviceLogRecord read(String kind, String body) {
        return switch (kind) {
            case DeviceLogRecord.TO_DEVICE -> message(body);
            case DeviceLogRecord.KEY_COUNTS -> JSON.readValue(body, KeyCountsSet.class);
            case DeviceLogRecord.DEVICE_KEYS -> JSON.readValue(body, DeviceKeysChanged.class);
            default -> null;
        };
    }

    /** The target device of a to-device message. */
    public static DeviceId device(String body) {
        return new DeviceId(body.substring(0, body.indexOf('\n')));
    }

    public static ToDeviceSent message(String body) {
        int device = body.indexOf('\n');
        int meta = body.indexOf('\n', device + 1);
        var message = JSON.readValue(body.substring(device + 1, meta), MessageMeta.class);
        return new ToDeviceSent(
                new DeviceId(body.substring(0, device)), message.type, message.sender, body.substring(meta + 1));
    }

    record MessageMeta(String type, UserId sender) {}
}
