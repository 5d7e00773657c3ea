// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.caller.Caller;
import rookery.model.filter.SyncFilter;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.token.Mark;
import rookery.model.token.Marks;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.platform.http.AnswerReservation;
import rookery.sync.answer.SyncQuery.RoomState;
import rookery.sync.inbox.DataBudget;
import rookery.sync.inbox.Inboxes;
import rookery.sync.inbox.UserData.Settings;
import rookery.sync.ring.RoomPart;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.unread.CountSettings;
import rookery.sync.waiting.Gathering;
import rookery.sync.waiting.Urgency;

/** The calls of streams, and the use of their results. */
class SyncStreamsTest {
    private static final UserId ADA = new UserId("@ada:s");
    private static final SyncToken TOKEN = new SyncToken(1, 1, 1, Positions.of(1, 2), Marks.NONE.at(7));
    private static final ContentKey<String> WORD = new ContentKey<>("word");

    private final List<String> calls = new ArrayList<>();
    private final Answer answer = new Answer(TOKEN);

    /** Records its calls, and completes when the test lets it. */
    private final class Recorder implements SyncStream {
        private final String name;
        private final Mono<Void> done;

        Recorder(String name, Mono<Void> done) {
            this.name = name;
            this.done = done;
        }

        @Override
        public Mono<Void> add(Look look, Answer to) {
            calls.add(name);
            return done;
        }

        @Override
        public Mono<Void> addRooms(Look look, RoomChanges changes, Answer to) {
            calls.add(name + " of rooms");
            return done;
        }
    }

    private static Look look() {
        var caller = new Caller(
                new TenantId(1),
                new ServerName("s"),
                new Caller.Known(ADA, new DeviceId("D"), false),
                "127.0.0.1",
                "request",
                Instant.EPOCH);
        var query = new SyncQuery(null, "token", Duration.ofSeconds(1), false, RoomState.BEFORE, "online");
        var poll = new Poll(
                caller,
                caller.prefix(),
                query,
                SyncFilter.ALL,
                TOKEN,
                new Inboxes(Gathering.none(), new DataBudget(1 << 20)).enter(new TenantUser(new TenantId(1), ADA)),
                AnswerReservation.unbounded(),
                new UnusedAnswering());
        return new Look(
                poll, TOKEN, TOKEN, false, new Settings("{}", true, new CountSettings(null, Set.of(), 0, 0), false));
    }

    @Test
    void streamsWithNothingToWaitForNeedNoOperator() {
        var streams = new SyncStreams(
                List.of(new Recorder("first", SyncStream.DONE), new Recorder("second", SyncStream.DONE)));
        assertThat(streams.add(look(), new RoomChanges(), answer)).isSameAs(SyncStream.DONE);
        assertThat(calls).containsExactly("first", "second", "first of rooms", "second of rooms");
    }

    @Test
    void whatComesLaterWaitsForWhoAnswersLater() {
        var word = Sinks.<Void>empty();
        var streams = new SyncStreams(List.of(
                new Recorder("first", SyncStream.DONE),
                new Recorder("asking", word.asMono()),
                new Recorder("last", SyncStream.DONE)));
        var added = streams.add(look(), new RoomChanges(), answer).toFuture();
        assertThat(calls).containsExactly("first", "asking");
        assertThat(added).isNotDone();
        word.tryEmitEmpty();
        assertThat(calls)
                .containsExactly("first", "asking", "last", "first of rooms", "asking of rooms", "last of rooms");
        assertThat(added).isCompleted();
    }

    @Test
    void theMostUrgentContentOfStreamsAndRoomsDecides() {
        var streams = new SyncStreams(List.of(new SyncStream() {
            @Override
            public Urgency urgency(Answer told) {
                return told.get(WORD) == null ? Urgency.NOTHING : Urgency.LATER;
            }
        }));
        assertThat(streams.urgency(answer)).isEqualTo(Urgency.NOTHING);
        answer.put(WORD, "news");
        assertThat(streams.urgency(answer)).isEqualTo(Urgency.LATER);
        answer.add(
                new RoomPart(new RoomId("!room:s"), 0, Section.JOIN, List.of(), false, 0, List.of(), null, null),
                Urgency.SOON);
        assertThat(streams.urgency(answer)).isEqualTo(Urgency.SOON);
        answer.rooms().iterator().next().raise(Urgency.NOW);
        answer.rooms().iterator().next().raise(Urgency.LATER);
        assertThat(streams.urgency(answer)).isEqualTo(Urgency.NOW);
    }

    @Test
    void marksAreEachStreamsOwn() {
        var streams = new SyncStreams(List.of(marking(Mark.TYPING, 3), marking(Mark.PRESENCE, 4)));
        var marked = streams.mark(TOKEN.marks());
        assertThat(marked).isEqualTo(Marks.NONE.at(7).with(Mark.TYPING, 3).with(Mark.PRESENCE, 4));
        var told = new Answer(TOKEN.with(marked));
        assertThat(streams.untold(TOKEN, told)).isSameAs(told.next());
        told.put(WORD, "not worth an answer");
        assertThat(streams.untold(TOKEN, told)).isEqualTo(TOKEN);
        told.mark(Mark.CORRECTIONS, 5);
        assertThat(told.next().marks().of(Mark.CORRECTIONS)).isEqualTo(5);
    }

    /** A stream that goes back to its old mark after an answer that was not sent. */
    private static SyncStream marking(Mark mark, long value) {
        return new SyncStream() {
            @Override
            public Marks mark(Marks marks) {
                return marks.with(mark, value);
            }

            @Override
            public Marks untold(Marks before, Marks next, Answer told) {
                return told.get(WORD) == null ? next : next.with(mark, before.of(mark));
            }
        };
    }
}
