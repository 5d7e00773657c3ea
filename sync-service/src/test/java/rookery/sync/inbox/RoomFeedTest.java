// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import rookery.model.error.ApiException;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.append.EarlierEpochs;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;
import rookery.platform.log.follow.Stretch;
import rookery.platform.log.text.RoomLogText;
import rookery.sync.ring.DeviceListRing;
import rookery.sync.ring.RoomRing;
import rookery.sync.testing.Events;
import rookery.sync.typing.TypingSets;
import rookery.sync.waiting.Gathering;
import rookery.sync.waiting.Wake;

class RoomFeedTest {
    private static final TenantId TENANT = new TenantId(1);
    private static final RoomId ROOM = new RoomId("!r:s");
    private static final UserId ADA = new UserId("@ada:s");
    private static final UserId BOB = new UserId("@bob:s");
    private static final int SHARD = 3;

    private final Inboxes inboxes = new Inboxes(Gathering.none(), new DataBudget(1 << 20));
    private final TypingSets typing = new TypingSets();
    private RoomFeed feed = feed(0);

    private Inbox inbox = inboxes.enter(new TenantUser(TENANT, ADA));
    private long pos = 10;

    @BeforeEach
    void begin() {
        feed.begin(heads(1, 10));
    }

    @Test
    void whatNobodyHereIsInIsNotWanted() {
        assertThat(feed.wants(bare(ROOM, null))).isFalse();
        assertThat(feed.wants(bare(ROOM, BOB))).isFalse();
        assertThat(feed.wants(bare(ROOM, ADA))).isTrue();
        load(joined(5));
        assertThat(feed.wants(bare(ROOM, null))).isTrue();
    }

    @Test
    void entriesOfAJoinedRoomAreHeldAndWakeTheReader() {
        load(joined(5));
        var bell = bell();
        apply(message("a"), message("b"));
        assertThat(names(10)).containsExactly("a", "b");
        StepVerifier.create(bell).expectNext(Wake.NEWS).verifyComplete();
        assertThat(feed.progress().now().positions().at(SHARD)).isEqualTo(12);
    }

    @Test
    void anUnfinishedUnitIsNotShown() {
        load(joined(5));
        var first = message("a");
        feed.apply(new Stretch(SHARD, 1, 10, List.of(first), 11, 0, 10));
        assertThat(names(10)).isEmpty();
        assertThat(feed.progress().now().positions().at(SHARD)).isEqualTo(10);
        var second = message("b");
        feed.apply(new Stretch(SHARD, 1, 11, List.of(second), 12, 0, 12));
        assertThat(names(10)).containsExactly("a", "b");
    }

    @Test
    void aSkippedEntryOfARoomThatIsHeldSinceMakesReadersAskTheOwner() {
        load(joined(5));
        apply(new LogRecord(SHARD, 1, ++pos, RoomLogRecord.EVENT, true, TENANT, ROOM, null, ""));
        apply(message("b"));
        var ring = ring();
        assertThat(ring.between(10, pos)).isNull();
        assertThat(ring.between(11, pos)).hasSize(1);
    }

    @Test
    void anUnreadableEntryDoesNotStopTheOthers() {
        load(joined(5));
        apply(new LogRecord(SHARD, 1, ++pos, RoomLogRecord.EVENT, true, TENANT, ROOM, null, "nonsense"), message("b"));
        assertThat(names(11)).containsExactly("b");
    }

    @Test
    void whatHappensWhileTheSnapshotIsOnItsWayIsNotLost() {
        inbox.memberships().gather();
        apply(member(ADA, Membership.LEAVE, Membership.INVITE)); // 11, in the snapshot
        apply(member(ADA, Membership.INVITE, Membership.JOIN)); // 12, not in it
        feed.install(inbox, snapshot(11, room(Membership.INVITE, 11, null)));
        var joined = inbox.memberships().joined(ROOM, at(12));
        assertThat(joined).isEqualTo(new RoomMemberships.JoinedRoom(SHARD, 12));
        apply(message("a"));
        assertThat(names(12)).containsExactly("a");
    }

    @Test
    void whatCameAfterAJoinWhileTheSnapshotWasOnItsWayIsNotPassedBy() {
        inbox.memberships().gather();
        apply(member(ADA, Membership.LEAVE, Membership.JOIN)); // 11
        apply(message("a")); // 12: no known reader in the room
        feed.install(inbox, snapshot(10));
        apply(message("b"));
        var ring = ring();
        assertThat(ring.between(11, 13)).isNull(); // the reader must ask room-service
        assertThat(names(12)).containsExactly("b");
    }

    @Test
    void comingAndGoingMakesARoomUnclear() {
        load();
        apply(member(ADA, Membership.LEAVE, Membership.INVITE));
        assertThat(news(10).unclear()).containsExactly(ROOM);
        apply(member(ADA, Membership.INVITE, Membership.JOIN));
        assertThat(news(11).unclear()).containsExactly(ROOM);
        apply(message("a"));
        assertThat(news(12).unclear()).isEmpty();
        assertThat(news(12).rooms()).hasSize(1);
        apply(member(ADA, Membership.JOIN, Membership.JOIN));
        assertThat(news(12).unclear()).isEmpty();
        apply(member(ADA, Membership.JOIN, Membership.LEAVE));
        assertThat(news(14).unclear()).containsExactly(ROOM);
        assertThat(news(15).unclear()).isEmpty();
        assertThat(feed.wants(bare(ROOM, null))).isFalse();
    }

    @Test
    void aReaderWhoStandsBeforeAChangeIsNotShownIt() {
        load(joined(5));
        apply(message("a"));
        apply(member(ADA, Membership.JOIN, Membership.LEAVE));
        var then = Objects.requireNonNull(inbox.memberships().news(at(10), at(11)));
        assertThat(then.unclear())
                .as("joined then, and its events are not held any more")
                .containsExactly(ROOM);
        assertThat(inbox.memberships().joined(ROOM, at(11))).isNotNull();
        assertThat(inbox.memberships().joined(ROOM, at(12))).isNull();
    }

    @Test
    void beforeItsSnapshotAnInboxKnowsNothing() {
        load(joined(5));
        assertThat(inbox.memberships().news(at(9), at(10))).isNull();
        assertThat(inbox.memberships().news(at(10), at(10))).isNotNull();
    }

    @Test
    void followingThatBeginsAgainGoesOnWhereItWas() {
        load(joined(5));
        apply(message("a"));
        assertThat(feed.begin(heads(1, 20)).positions().at(SHARD)).isEqualTo(11);
        apply(message("b"));
        assertThat(names(10)).containsExactly("a", "b");
    }

    @Test
    void whatIsAppliedAgainIsNotTakenTwice() {
        load(joined(5));
        var a = message("a");
        apply(a);
        feed.apply(new Stretch(SHARD, 1, 10, List.of(a), 11, 0, 11));
        assertThat(names(10)).containsExactly("a");
    }

    @Test
    void aRaisedEpochForgetsEverything() {
        load(joined(5));
        apply(message("a"));
        var bell = bell();
        assertThat(feed.begin(heads(2, 5)).positions().at(SHARD)).isEqualTo(5);
        assertThat(inbox.isLoaded()).isFalse();
        assertThat(feed.wants(bare(ROOM, null))).isFalse();
        StepVerifier.create(bell).expectNext(Wake.NEWS).verifyComplete();
    }

    @Test
    void whatWasForgottenIsNotReadAsNothing() {
        load(joined(5));
        feed.begin(heads(2, 5));
        var memberships = inbox.memberships();
        var upto = heads(2, 5).heads().positions();
        assertThatThrownBy(() -> memberships.joined(ROOM, upto)).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> memberships.joinedRooms(upto)).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> memberships.readersOfJoinedRooms(upto)).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> memberships.countedRooms(List.of(ROOM), upto)).isInstanceOf(ApiException.class);
    }

    @Test
    void aSnapshotThatWasOvertakenByANewBeginningIsRefused() {
        inbox.memberships().gather();
        feed.begin(heads(2, 5));
        assertThatThrownBy(() -> feed.install(inbox, snapshot(5))).isInstanceOf(ApiException.class);
    }

    @Test
    void whoeverWasForgottenIsNotHeldFor() {
        load(joined(5));
        inboxes.leave(inbox);
        inboxes.removeIdle(-1).forEach(feed::forget);
        assertThat(feed.rooms()).isZero();
        assertThat(feed.wants(bare(ROOM, ADA))).isFalse();
    }

    @Test
    void aNodeThatHasJustStartedHoldsTheRecentEventsOfAllRooms() {
        fill();
        apply(message("a"));
        assertThat(feed.progress().isFilled()).isFalse();
        apply(message("b"), message("c"), message("d"), message("e"));
        assertThat(feed.progress().isFilled()).isTrue();
        load(joined(3));
        assertThat(names(5)).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void ofARoomInWhichNothingHappenedANodeThatHasJustStartedKnowsThat() {
        fill();
        inbox.memberships().gather();
        feed.install(inbox, filled(room(Membership.JOIN, 3, 3L)));
        var news = Objects.requireNonNull(inbox.memberships().news(at(5), at(5)));
        assertThat(news.rooms()).isEmpty();
        assertThat(news.unclear()).isEmpty();
    }

    @Test
    void aRoomThatWasLeftSinceIsUnclearToWhoComesFromAnotherNode() {
        fill();
        apply(message("a"), message("b"), member(ADA, Membership.JOIN, Membership.LEAVE), message("c"), message("d"));
        inbox.memberships().gather();
        feed.install(inbox, filled(room(Membership.LEAVE, 8, null)));
        assertThat(news(5).unclear()).containsExactly(ROOM);
        assertThat(news(8).unclear()).isEmpty();
        assertThat(inbox.memberships().news(at(4), at(pos)))
                .as("from before what this node has")
                .isNull();
    }

    @Test
    void whoGoesWhileTheNodeFillsItselfLeavesNoHole() {
        fill();
        load(joined(3));
        apply(message("a"));
        inboxes.leave(inbox);
        inboxes.removeIdle(-1).forEach(feed::forget);
        apply(message("b"));
        inbox = inboxes.enter(new TenantUser(TENANT, ADA));
        load(joined(3));
        assertThat(names(5)).containsExactly("a", "b");
    }

    @Test
    void roomsThatNobodyReadsAreForgottenWhenTheFillingIsOver() {
        fill();
        load(joined(3));
        var elsewhere = new RoomId("!elsewhere:s");
        apply(message("a"), new LogRecord(SHARD, 1, ++pos, RoomLogRecord.EVENT, true, TENANT, elsewhere, null, ""));
        assertThat(feed.rooms()).isEqualTo(2);
        feed.clean(System.nanoTime(), Duration.ofMinutes(1).toNanos());
        assertThat(feed.rooms()).as("not over yet").isEqualTo(2);
        feed.clean(
                System.nanoTime() + Duration.ofMinutes(3).toNanos(),
                Duration.ofMinutes(9).toNanos());
        assertThat(feed.rooms()).isEqualTo(1);
        assertThat(feed.wants(bare(elsewhere, null))).isFalse();
        assertThat(feed.filledFrom()).isNull();
        assertThat(names(5)).containsExactly("a");
    }

    /** Begins five entries before the heads; none of the entries is present yet. */
    private void fill() {
        feed = feed(5);
        pos = 5;
        assertThat(feed.begin(heads(1, 10)).positions().at(SHARD)).isEqualTo(pos);
    }

    private RoomFeed feed(int fillEntries) {
        var properties = new RingProperties(
                100,
                DataSize.ofKilobytes(100),
                DataSize.ofGigabytes(1),
                Duration.ofMinutes(1),
                fillEntries,
                Duration.ofMinutes(2));
        return new RoomFeed(inboxes, properties, typing, new DeviceListRing());
    }

    private static MembershipsClient.Snapshot filled(MembershipsClient.RoomMembership... rooms) {
        return new MembershipsClient.Snapshot(1, at(10).toArray(), List.of(rooms), at(5));
    }

    private void load(MembershipsClient.RoomMembership... rooms) {
        inbox.memberships().gather();
        feed.install(inbox, snapshot(10, rooms));
    }

    private static MembershipsClient.Snapshot snapshot(long at, MembershipsClient.RoomMembership... rooms) {
        return new MembershipsClient.Snapshot(1, at(at).toArray(), List.of(rooms), null);
    }

    private static MembershipsClient.RoomMembership joined(long from) {
        return room(Membership.JOIN, from, from);
    }

    private static MembershipsClient.RoomMembership room(Membership membership, long pos, @Nullable Long joinedFrom) {
        return new MembershipsClient.RoomMembership(ROOM, SHARD, membership, pos, joinedFrom, null);
    }

    private Mono<Wake> bell() {
        return inbox.waiters().enter(new DeviceId("D")).listening();
    }

    private void apply(LogRecord... entries) {
        long from = entries[0].pos() - 1;
        long to = entries[entries.length - 1].pos();
        feed.apply(new Stretch(SHARD, 1, from, List.of(entries), to, 0, to));
    }

    private LogRecord message(String name) {
        return entry(Events.message(name, BOB), null);
    }

    private LogRecord member(UserId user, Membership before, Membership after) {
        return entry(Events.member("m" + pos, user, user, before, after, 1, 0), user);
    }

    private LogRecord entry(EventAppended event, @Nullable UserId subject) {
        return new LogRecord(
                SHARD, 1, ++pos, RoomLogRecord.EVENT, true, TENANT, ROOM, subject, RoomLogText.write(event));
    }

    private static LogRecord bare(RoomId room, @Nullable UserId subject) {
        return new LogRecord(SHARD, 1, 99, RoomLogRecord.EVENT, true, TENANT, room, subject, "");
    }

    private RoomMemberships.News news(long since) {
        return Objects.requireNonNull(inbox.memberships().news(at(since), at(pos)));
    }

    private List<String> names(long after) {
        var names = new ArrayList<String>();
        var ring = ring();
        for (var held : Objects.requireNonNull(ring.between(after, 1000))) {
            names.add(held.event().meta().eventId().value().substring(1));
        }
        return names;
    }

    private static LogState heads(long epoch, long pos) {
        return new LogState(new Heads(epoch, at(pos)), EarlierEpochs.NONE);
    }

    private static Positions at(long pos) {
        return Positions.zero(Shards.COUNT).with(SHARD, pos);
    }

    private RoomRing ring() {
        var rooms = inbox.memberships().countedRooms(List.of(ROOM), at(Long.MAX_VALUE));
        return Objects.requireNonNull(rooms.get(ROOM)).ring();
    }
}
