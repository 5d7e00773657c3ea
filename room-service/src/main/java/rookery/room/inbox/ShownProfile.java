// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A user's profile and its place in the user log; of two profiles, the one with the later place is valid.
 *
 * @param epoch of the user log; 0 with position 0 for a profile without changes
 * @param pos in the user's shard
 */
public record ShownProfile(
        long epoch,
        long pos,
        @Nullable String displayname,
        @Nullable String avatarUrl) {
    private static final String DISPLAY_NAME = "displayname";
    private static final String AVATAR_URL = "avatar_url";

    public boolean isNewerThan(ShownProfile other) {
        return epoch != other.epoch ? epoch > other.epoch : pos > other.pos;
    }

    /** Whether the content of a member event shows exactly this profile. */
    public boolean isShownBy(ObjectNode content) {
        return same(content, DISPLAY_NAME, displayname) && same(content, AVATAR_URL, avatarUrl);
    }

    /** Sets the profile in the content of a member event. */
    public void putInto(ObjectNode content) {
        put(content, DISPLAY_NAME, displayname);
        put(content, AVATAR_URL, avatarUrl);
    }

    private static boolean same(ObjectNode content, String field, @Nullable String value) {
        var node = content.get(field);
        return value == null ? node == null : node != null && node.isString() && value.equals(node.stringValue());
    }

    private static void put(ObjectNode content, String field, @Nullable String value) {
        if (value == null) {
            content.remove(field);
        } else {
            content.put(field, value);
        }
    }
}
