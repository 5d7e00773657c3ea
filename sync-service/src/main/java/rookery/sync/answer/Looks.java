package rookery.sync.answer;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import rookery.model.id.Shards;
import rookery.model.token.Marks;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.platform.log.append.Heads;
import rookery.sync.inbox.FollowedLog;

/** Makes looks: takes the positions of this node, and then what else is as of one moment. */
@Component
class Looks {
    private final FollowedLog roomLog;
    private final FollowedLog userLog;
    private final SyncStreams streams;
    /** Of this node, in tokens: what streams count by themselves begins anew with it. */
    private final long run;

    Looks(
            @Qualifier("roomLog") FollowedLog roomLog,
            @Qualifier("userLog") FollowedLog userLog,
            SyncStreams streams,
            RandomGenerator random) {
        this.roomLog = roomLog;
        this.userLog = userLog;
        this.streams = streams;
        this.run = random.nextLong(1, Long.MAX_VALUE);
    }

    /** Whether the reader begins anew: without a token, or with one from before a restore. */
    boolean beginsAnew(@Nullable SyncToken since) {
        return since == null
                || since.roomEpoch() < roomLog.now().epoch()
                || since.userEpoch() < userLog.now().epoch()
                || since.rooms().shards() != roomLog.now().positions().shards();
    }

    /** At everything after the reader's token, up to where this node stands; not for who begins anew. */
    Look sinceToken(Poll poll, boolean tellsAll) {
        var rooms = roomLog.now();
        var users = userLog.now();
        poll.takeSettings(); // after the position: nothing older is told with it
        var since = Objects.requireNonNull(poll.since());
        if (since.roomEpoch() > rooms.epoch() || since.userEpoch() > users.epoch()) {
            throw Look.restored();
        }
        var next = new SyncToken(
                rooms.epoch(),
                users.epoch(),
                Math.max(since.userPos(), userPos(poll, users)),
                since.rooms().max(rooms.positions()),
                streams.mark(since.marks().at(run)));
        return new Look(poll, since, next, tellsAll, poll.settings());
    }

    /** How far the reader is told everything who begins anew; room-service says how far it tells the rooms. */
    record StartPosition(Poll poll, long userEpoch, long userPos, Marks marks) {
        Look of(long roomEpoch, Positions rooms) {
            return new Look(
                    poll, null, new SyncToken(roomEpoch, userEpoch, userPos, rooms, marks), true, poll.settings());
        }
    }

    StartPosition anew(Poll poll) {
        var users = userLog.now();
        poll.takeSettings(); // after the position: nothing older is told with it
        return new StartPosition(poll, users.epoch(), userPos(poll, users), streams.mark(Marks.NONE.at(run)));
    }

    private static long userPos(Poll poll, Heads users) {
        return users.positions().at(Shards.of(poll.owner.user()));
    }
}
