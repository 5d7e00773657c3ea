// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.token.Mark;
import rookery.model.token.SyncToken;
import rookery.platform.log.append.Heads;
import rookery.sync.answer.Answer;
import rookery.sync.answer.AnswerFinder;
import rookery.sync.answer.Answering;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.inbox.FollowedLogs;
import rookery.sync.inbox.ListedRoom;
import rookery.sync.inbox.UserData.Settings;

/** The answers of sliding sync: the rooms in the windows of the request's lists, as far as the client does not have them. */
@Component
class SlidingAnswering implements Answering {
    private final AnswerFinder finder;
    private final KnownStates states;
    private final ActivityClient activity;
    private final SlidingWriter writer;
    private final FollowedLogs logs;

    SlidingAnswering(
            AnswerFinder finder, KnownStates states, ActivityClient activity, SlidingWriter writer, FollowedLogs logs) {
        this.finder = finder;
        this.states = states;
        this.activity = activity;
        this.writer = writer;
        this.logs = logs;
    }

    /** A new connection sees everything that was committed before. A token from before a restore cannot be continued. */
    @Override
    public Mono<Void> beginAnew(Poll poll) {
        return poll.since() == null ? logs.caughtUp() : Mono.error(Connections.unknownPos());
    }

    @Override
    public Mono<Answer> changes(Poll poll) {
        var sliding = (SlidingPoll) poll;
        return sliding.base() != null
                ? look(sliding)
                : states.find(sliding.connection, number(sliding))
                        .doOnNext(sliding::begin)
                        .then(Mono.defer(() -> reached(poll.since())))
                        .then(Mono.defer(() -> look(sliding)));
    }

    /** A node behind the client's token does not know all rooms that the client has, and would drop them from the connection. */
    private Mono<Void> reached(@Nullable SyncToken since) {
        return since == null ? Mono.empty() : logs.rooms().reaches(new Heads(since.roomEpoch(), since.rooms()));
    }

    private static long number(SlidingPoll poll) {
        var since = poll.since();
        if (since == null) {
            return 0;
        }
        long number = since.marks().of(Mark.CONNECTION);
        if (number == 0) {
            throw Connections.unknownPos(); // a token of the other sync
        }
        return number;
    }

    private Mono<Answer> look(SlidingPoll poll) {
        var look = finder.look(poll);
        return activity.children(poll.inbox.key(), poll.request.spaces())
                .flatMap(spaces -> activity.listed(poll.inbox, look.next().rooms())
                        .flatMap(listed -> answer(poll, look, listed, new UserRooms(poll.inbox.data(), spaces))));
    }

    private Mono<Answer> answer(SlidingPoll poll, Look look, List<ListedRoom> all, UserRooms user) {
        var since = look.since();
        var listed = withoutHidden(all, poll.settings());
        var window = Window.of(poll.request, listed, user, poll.state());
        var plan = Plan.of(window, listed, poll.state(), since == null ? null : since.rooms(), poll.roomsMax());
        poll.begin(plan, user);
        return finder.chosen(look, plan.warm(), plan.cold(), plan.starts());
    }

    /** A hidden invitation counts as a leave, as in the rooms that room-service answers. */
    private static List<ListedRoom> withoutHidden(List<ListedRoom> rooms, Settings settings) {
        return rooms.stream().noneMatch(room -> room.isHiddenBy(settings))
                ? rooms
                : rooms.stream()
                        .map(room -> room.isHiddenBy(settings) ? room.left() : room)
                        .toList();
    }

    @Override
    public Mono<byte[]> written(Poll poll, Answer answer) {
        var sliding = (SlidingPoll) poll;
        return states.written(sliding.connection, Objects.requireNonNull(sliding.base()), sliding.stateAfter())
                .map(stored -> writer.write(sliding, answer, stored.number()));
    }
}
