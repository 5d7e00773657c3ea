// SPDX-License-Identifier: Apache-2.0
package rookery.auth.todevice;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The messages of one request: contents as canonical JSON, by device and user. Invalid IDs are dropped.
 *
 * @param byUser the keys of the inner map are device IDs, or {@link #ALL}
 */
record MessageSet(Map<UserId, Map<String, String>> byUser) {
    /** Addresses all devices of a user that have no message of their own. */
    static final String ALL = "*";

    private static final int MESSAGES_MAX = 5000;
    private static final int CONTENT_BYTES_MAX = 64 << 10;

    /** M_MISSING_PARAM, M_BAD_JSON; M_INVALID_PARAM for too many messages, M_TOO_LARGE for a message that is too long. Pure. */
    static MessageSet of(JsonBody body) {
        Map<UserId, Map<String, String>> byUser = new LinkedHashMap<>();
        int count = 0;
        for (var user : body.object("messages").json().properties()) {
            Map<String, String> contents = new LinkedHashMap<>();
            for (var device : object(user.getValue()).properties()) {
                if (++count > MESSAGES_MAX) {
                    throw new ApiException(
                            ErrorCode.M_INVALID_PARAM, "send at most " + MESSAGES_MAX + " messages at once");
                }
                String content = content(object(device.getValue()));
                if (isDevice(device.getKey())) {
                    contents.put(device.getKey(), content);
                }
            }
            add(byUser, user.getKey(), contents);
        }
        return new MessageSet(byUser);
    }

    private static void add(Map<UserId, Map<String, String>> byUser, String user, Map<String, String> contents) {
        try {
            byUser.put(new UserId(user), contents);
        } catch (ApiException _) {
            // an invalid ID belongs to no user
        }
    }

    private static boolean isDevice(String id) {
        try {
            var _ = new DeviceId(id);
            return true;
        } catch (ApiException _) {
            return false;
        }
    }

    private static String content(ObjectNode content) {
        String text = CanonicalJson.write(content);
        if (text.getBytes(StandardCharsets.UTF_8).length > CONTENT_BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "a message has at most " + CONTENT_BYTES_MAX + " bytes");
        }
        return text;
    }

    private static ObjectNode object(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new ApiException(ErrorCode.M_BAD_JSON, "messages must be an object of contents by user and device");
    }

    /** A message for one device. */
    record AddressedMessage(DeviceId device, String content) {}

    /** The messages for those of the user's devices that the request addresses, by id or {@code *}. */
    List<AddressedMessage> addressed(UserId user, List<DeviceId> devices) {
        var contents = byUser.getOrDefault(user, Map.of());
        var all = new ArrayList<AddressedMessage>();
        String rest = contents.get(ALL);
        for (var device : devices) {
            String content = contents.getOrDefault(device.value(), rest);
            if (content != null) {
                all.add(new AddressedMessage(device, content));
            }
        }
        return all;
    }
}
