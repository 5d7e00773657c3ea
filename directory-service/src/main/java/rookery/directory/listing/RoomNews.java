package rookery.directory.listing;

import rookery.model.id.EventId;
import rookery.model.id.UserId;
import tools.jackson.databind.JsonNode;

/** What an entry of the room log tells the directory. */
public sealed interface RoomNews {
    /** The room was made, and whether it claims to be another one's successor, which anybody may. */
    record Made(EventId id, JsonNode content, boolean claimsPredecessor) implements RoomNews {}

    /** A piece of state that the directory shows, or that decides who sees the room. */
    record StateSet(String type, EventId id, JsonNode content) implements RoomNews {}

    /** Somebody came or went; {@code joined} members there are after it. */
    record MemberSet(UserId user, boolean isJoined, int joined) implements RoomNews {}

    /** An event lost its content. */
    record Redacted(EventId event) implements RoomNews {}

    /** The room is gone, and everything that was known of it. */
    record Purged() implements RoomNews {}

    /** The room was put into the directory, or taken out. */
    record Listed(boolean published) implements RoomNews {}
}
