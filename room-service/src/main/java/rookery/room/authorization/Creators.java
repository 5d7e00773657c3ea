// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.event.RoomVersion;
import rookery.model.id.UserId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The creators of a room.
 *
 * @param sender of the create event; null before the create event
 * @param unbounded from room version 12 on the creators, who have more power than any number; otherwise empty
 */
public record Creators(@Nullable UserId sender, Set<UserId> unbounded) {
    /** A room before its create event. */
    public static final Creators NONE = new Creators(null, Set.of());

    private static final String ADDITIONAL = "additional_creators";

    /** The creators that an accepted create event makes. */
    static Creators of(UserId sender, ObjectNode createContent) {
        if (!version(createContent).hasUnboundedCreators()) {
            return new Creators(sender, Set.of());
        }
        var all = new LinkedHashSet<UserId>();
        all.add(sender);
        createContent.path(ADDITIONAL).forEach(user -> all.add(new UserId(user.stringValue())));
        return new Creators(sender, Set.copyOf(all));
    }

    private static RoomVersion version(ObjectNode createContent) {
        return RoomVersion.of(createContent.path("room_version").asString("")).orElse(RoomVersion.DEFAULT);
    }

    /** Why the content of a create event names no creators of the room version; null for valid content. */
    static @Nullable String malformed(RoomVersion version, UserId sender, ObjectNode createContent) {
        if (version.namesCreator()
                && !createContent.path("creator").asString("").equals(sender.value())) {
            return "the content must name the creator";
        }
        boolean isValid = !version.hasUnboundedCreators()
                || !createContent.has(ADDITIONAL)
                || isListOfUsers(createContent.path(ADDITIONAL));
        return isValid ? null : ADDITIONAL + " must be a list of user ids";
    }

    private static boolean isListOfUsers(JsonNode node) {
        return node.isArray()
                && node.valueStream().allMatch(user -> user.isString() && AuthRules.userId(user.stringValue()) != null);
    }
}
