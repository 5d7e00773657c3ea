// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import rookery.model.event.EventTypes;
import rookery.model.id.UserId;
import rookery.platform.json.CanonicalJson;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The reference hash of a create event of room version 12, as servers of a federation compute the hash: over the event of the
 * federation's format with its content hash. A redaction of a create event removes nothing.
 */
final class CreateEventHash {
    private CreateEventHash() {}

    /** URL-safe base64 without padding; M_BAD_JSON for content without a canonical form. */
    static String of(UserId sender, ObjectNode content, long tsMillis) {
        var event = JsonNodeFactory.instance.objectNode();
        event.putArray("auth_events");
        event.putArray("prev_events");
        event.put("depth", 1).put("origin_server_ts", tsMillis);
        event.put("type", EventTypes.CREATE).put("state_key", "").put("sender", sender.value());
        event.set("content", content);
        String contentHash = Base64.getEncoder().withoutPadding().encodeToString(sha256(event));
        event.putObject("hashes").put("sha256", contentHash);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(event));
    }

    private static byte[] sha256(ObjectNode json) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(CanonicalJson.write(json).getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
