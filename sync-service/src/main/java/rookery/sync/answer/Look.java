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
 * What one look at the logs is about: who looks, and from where to where. It is the same for all streams, however the node goes on
 * meanwhile.
 *
 * @param since what the reader was told before; null for who was told nothing
 * @param next where the reader stands once told: the positions of this node, and the marks of the streams as they were then
 * @param tellsAll whether all rooms are told, a few at a time, and not what changed in them
 * @param settings whom the reader ignores, and by which rules events are counted
 */
public record Look(Poll poll, @Nullable SyncToken since, SyncToken next, boolean tellsAll, Settings settings) {
    /** What the reader was told before; only for what changed since. */
    public SyncToken known() {
        return Objects.requireNonNull(since, "the reader was told nothing before");
    }

    public Inbox inbox() {
        return poll.inbox;
    }

    public TenantId tenant() {
        return poll.owner.tenant();
    }

    public Set<String> ignored() {
        return settings.ignored();
    }

    /**
     * Up to where a stream of this node has told the reader.
     *
     * @param otherwise where another node, or an earlier run of this one, told them last, or nobody
     */
    public long toldHere(Mark mark, long otherwise) {
        return since == null || since.marks().node() != next.marks().node()
                ? otherwise
                : since.marks().of(mark);
    }

    /** Whether the reader knows nothing of the room yet. */
    public boolean isNew(RoomId room) {
        var joined = since == null ? null : inbox().memberships().joined(room, next.rooms());
        return since == null
                || joined == null
                || joined.joinedFrom() > since.rooms().at(joined.shard());
    }

    /** A joined room of which nothing else is told; null where the reader is not told of it. See {@link Answer#joined}. */
    @Nullable
    RoomPart alone(RoomId room) {
        if (since == null || tellsAll || !poll.filter.room().passesRoom(room)) {
            return null;
        }
        var joined = inbox().memberships().joined(room, next.rooms());
        if (joined == null) {
            return null;
        }
        long prevPos = since.rooms().at(joined.shard());
        return new RoomPart(room, joined.shard(), Section.JOIN, List.of(), false, prevPos, List.of(), null, null);
    }

    /** Whether the filter lets such events pass that happen in the room without being events of it. */
    public boolean takesEphemeral(RoomId room, String type) {
        var filter = poll.filter.room();
        return filter.passesRoom(room)
                && filter.ephemeral().passesRoom(room)
                && filter.ephemeral().passesType(type);
    }

    /** The refusal of a look that spans a restore of the logs: the client repeats the request. */
    public static ApiException restored() {
        return ApiException.unavailable("the server was restored this moment, try again");
    }
}
