// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.Shards;
import rookery.model.token.Marks;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.platform.log.append.Heads;
import rookery.sync.inbox.FollowedLogs;

/** Makes looks: reads this node's positions, then the settings and marks that belong to the positions. */
@Component
class Looks {
    private final FollowedLogs logs;
    private final SyncStreams streams;
    /** Random number of this run of the node, in tokens. Marks that a node counts for itself are valid for one run. */
    private final long run;

    Looks(FollowedLogs logs, SyncStreams streams, RandomGenerator random) {
        this.logs = logs;
        this.streams = streams;
        this.run = random.nextLong(1, Long.MAX_VALUE);
    }

    /** Whether the client needs a complete answer: no token, or a token from before a restore. */
    boolean beginsAnew(@Nullable SyncToken since) {
        return since == null
                || since.roomEpoch() < logs.rooms().now().epoch()
                || since.userEpoch() < logs.users().now().epoch()
                || since.rooms().shards() != logs.rooms().now().positions().shards();
    }

    /** The range from the client's token to this node's positions, for incremental answers. */
    Look after(Poll poll, boolean isComplete) {
        var rooms = logs.rooms().now();
        var users = logs.users().now();
        poll.takeSettings(); // after the positions, so never older than the entries in range
        var since = Objects.requireNonNull(poll.since());
        if (since.roomEpoch() > rooms.epoch() || since.userEpoch() > users.epoch()) {
            throw Look.restoredError();
        }
        var next = new SyncToken(
                rooms.epoch(),
                users.epoch(),
                Math.max(since.userPos(), userPos(poll, users)),
                since.rooms().max(rooms.positions()),
                streams.mark(since.marks().at(run)));
        return new Look(poll, since, next, isComplete, poll.settings());
    }

    /** The start of a complete answer, without the room log's positions: room-service reports those with the rooms. */
    record StartPosition(Poll poll, long userEpoch, long userPos, Marks marks) {
        Look of(long roomEpoch, Positions rooms, boolean isComplete) {
            return new Look(
                    poll,
                    null,
                    new SyncToken(roomEpoch, userEpoch, userPos, rooms, marks),
                    isComplete,
                    poll.settings());
        }
    }

    StartPosition anew(Poll poll) {
        var users = logs.users().now();
        poll.takeSettings(); // after the positions, so never older than the entries in range
        return new StartPosition(poll, users.epoch(), userPos(poll, users), streams.mark(Marks.NONE.at(run)));
    }

    /** All content up to this node's positions, for a client without a token; the rooms are chosen by the caller. */
    Look begin(Poll poll) {
        var rooms = logs.rooms().now();
        return anew(poll).of(rooms.epoch(), rooms.positions(), false);
    }

    private static long userPos(Poll poll, Heads users) {
        return users.positions().at(Shards.of(poll.reader.user()));
    }
}
