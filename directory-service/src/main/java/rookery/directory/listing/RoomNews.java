// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import rookery.model.id.EventId;
import rookery.model.id.UserId;
import tools.jackson.databind.JsonNode;

/** The content of a room log entry as far as the directory needs it. */
public sealed interface RoomNews {
    /** The room was created. Any user may claim a predecessor, so the claim needs verification. */
    record Made(EventId id, JsonNode content, boolean claimsPredecessor) implements RoomNews {}

    /** A state event that the directory shows or that decides visibility. */
    record StateSet(String type, EventId id, JsonNode content) implements RoomNews {}

    /** A user joined or left; {@code joined} is the number of members afterwards. */
    record MemberSet(UserId user, boolean isJoined, int joined) implements RoomNews {}

    /** An event was redacted. */
    record Redacted(EventId event) implements RoomNews {}

    /** The room was purged. */
    record Purged() implements RoomNews {}

    /** The room was published in the directory or removed. */
    record Listed(boolean published) implements RoomNews {}
}
