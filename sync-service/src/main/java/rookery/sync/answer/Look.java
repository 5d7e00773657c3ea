// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.token.Mark;
import rookery.model.token.SyncToken;
import rookery.sync.inbox.Inbox;
import rookery.sync.inbox.UserData.Settings;
import rookery.sync.ring.RoomPart;
import rookery.sync.ring.RoomPart.Section;

/**
 * One pass over the logs for a request: the request, and the range of positions. Fixed for all streams, while the node follows
 * the logs.
 *
 * @param since the client's token; null for a complete answer
 * @param next the token for {@code next_batch}: this node's positions at the start of the look, and the streams' marks at the
 *     same moment
 * @param isComplete whether the answer contains all rooms in parts, instead of the changed rooms
 * @param settings the ignore list and the push rules that apply
 */
public record Look(Poll poll, @Nullable SyncToken since, SyncToken next, boolean isComplete, Settings settings) {
    /** The client's token; only for incremental answers. */
    public SyncToken sinceToken() {
        return Objects.requireNonNull(since, "the reader was told nothing before");
    }

    public Inbox inbox() {
        return poll.inbox;
    }

    public TenantId tenant() {
        return poll.reader.tenant();
    }

    public Set<String> ignored() {
        return settings.ignored();
    }

    /** The mark up to which this run of this node answered the client; {@code otherwise} for tokens from elsewhere. */
    public long toldHere(Mark mark, long otherwise) {
        return since == null || since.marks().node() != next.marks().node()
                ? otherwise
                : since.marks().of(mark);
    }

    /** Whether the client has no content of the room so far. */
    public boolean isNew(RoomId room) {
        if (poll.showsAsNew(room)) {
            return true;
        }
        var joined = since == null ? null : inbox().memberships().joined(room, next.rooms());
        return since == null
                || joined == null
                || joined.joinedFrom() > since.rooms().at(joined.shard());
    }

    /** A joined room without changes, for streams to add to; null where {@link Answer#joined} is null. */
    @Nullable
    RoomPart alone(RoomId room) {
        if (since == null || isComplete || !passesRoom(room)) {
            return null;
        }
        var joined = inbox().memberships().joined(room, next.rooms());
        if (joined == null) {
            return null;
        }
        long prevPos = since.rooms().at(joined.shard());
        return new RoomPart(room, joined.shard(), Section.JOIN, List.of(), false, prevPos, List.of(), null, null);
    }

    private boolean passesRoom(RoomId room) {
        return poll.filter.room().passesRoom(room) && poll.covers(room);
    }

    /** Whether the filter passes ephemeral events of this type in the room. */
    public boolean takesEphemeral(RoomId room, String type) {
        var filter = poll.filter.room();
        return passesRoom(room)
                && filter.ephemeral().passesRoom(room)
                && filter.ephemeral().passesType(type);
    }

    /** The error for a look across a restore of the logs: the client repeats the request. */
    public static ApiException restoredError() {
        return ApiException.unavailable("the server was restored this moment, try again");
    }
}
