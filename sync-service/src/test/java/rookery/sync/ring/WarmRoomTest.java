// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.event.Membership;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.sync.ring.WarmRoom.AskOwner;
import rookery.sync.ring.WarmRoom.Changed;
import rookery.sync.ring.WarmRoom.Lacks;
import rookery.sync.ring.WarmRoom.Nothing;
import rookery.sync.ring.WarmRoom.UnknownMember;
import rookery.sync.ring.WarmRoom.Verdict;
import rookery.sync.ring.WarmRoom.WarmReader;
import rookery.sync.testing.Events;

class WarmRoomTest {
    private static final UserId ADA = new UserId("@ada:s");
    private static final UserId BOB = new UserId("@bob:s");
    private static final RoomFilter LAZY = new RoomFilter(
            null,
            null,
            false,
            new EventFilter(null, null, null, null, null, null, null, null, true, false, false),
            EventFilter.ALL,
            EventFilter.ALL,
            EventFilter.ALL);

    private Map<String, WarmRoom.MetMembership> met = Map.of();
    private @Nullable EarlierMemberships earlier;
    private boolean stateAfter;
    private final RoomRing ring = new RoomRing(100, 50, 1 << 20, new RingBudget(Long.MAX_VALUE));

    @Test
    void ofARoomThatIsNotHeldTheOwnerIsAsked() {
        assertThat(WarmRoom.read(reading(99, RoomFilter.ALL), ring.between(99, 200), ring))
                .isInstanceOf(AskOwner.class);
    }

    @Test
    void withoutEventsThereIsNothing() {
        assertThat(tell(RoomFilter.ALL)).isInstanceOf(Nothing.class);
    }

    @Test
    void messagesAreTold() {
        add(Events.message("a", BOB));
        assertThat(tell(RoomFilter.ALL)).isInstanceOfSatisfying(Changed.class, changed -> {
            assertThat(changed.part().timeline()).hasSize(1);
            assertThat(changed.part().summary()).isNull();
        });
    }

    @Test
    void ofASmallRoomWithNewMembersTheOwnerIsAskedForTheirNames() {
        add(Events.member("j", BOB, BOB, Membership.INVITE, Membership.JOIN, 3, 0));
        assertThat(tell(RoomFilter.ALL)).isInstanceOf(AskOwner.class);
    }

    @Test
    void aNewNameOfAMemberIsToldFromMemoryAndChangesNoSummary() {
        add(Events.member("j", BOB, BOB, Membership.JOIN, Membership.JOIN, 3, 0));
        assertThat(tell(RoomFilter.ALL)).isInstanceOfSatisfying(Changed.class, changed -> {
            assertThat(changed.part().timeline()).hasSize(1);
            assertThat(changed.part().summary()).isNull();
        });
    }

    @Test
    void ofALargeRoomWithNewMembersTheCountsAreTold() {
        add(Events.member("j", BOB, BOB, Membership.LEAVE, Membership.JOIN, 300, 2));
        assertThat(tell(RoomFilter.ALL))
                .isInstanceOfSatisfying(
                        Changed.class,
                        changed -> assertThat(changed.part().summary()).isEqualTo(new RoomPart.Summary(300, 2, null)));
    }

    @Test
    void ofARoomThatIsNamedOrLosesItsNameTheOwnerIsAskedAfterWhomItIsCalled() {
        add(Events.state("n", "m.room.name", "", BOB));
        assertThat(tell(RoomFilter.ALL)).isInstanceOf(AskOwner.class);
    }

    @Test
    void whatWasReplacedBeforeOneJoinedIsTheOwnersToJudge() {
        var topic = Events.state("n", "m.room.topic", "", BOB);
        add(Events.replacing(topic, "old", 20, "joined"));
        assertThat(tell(RoomFilter.ALL)).isInstanceOf(AskOwner.class);
    }

    @Test
    void whatWasReplacedIsSeenWhenHistoryIsShared() {
        var topic = Events.state("n", "m.room.topic", "", BOB);
        add(Events.replacing(topic, "old", 20, "shared"));
        assertThat(tell(RoomFilter.ALL))
                .isInstanceOfSatisfying(
                        Changed.class,
                        changed -> assertThat(
                                        changed.part().timeline().getFirst().sawPrevious())
                                .isTrue());
    }

    @Test
    void lazyReadersGetTheMembersWhoCameBeforeThemAsTheyWereToldThen() {
        var bob = new RingEvent(40, Events.member("bob", BOB, BOB, Membership.INVITE, Membership.JOIN, 2, 0));
        add(Events.message("a", BOB));
        ring.learn(List.of(bob), 100);
        assertThat(tell(LAZY)).isInstanceOf(AskOwner.class); // the reader's memberships are unknown
        met = Map.of(BOB.value(), new WarmRoom.MetMembership(bob.pos(), Membership.LEAVE, false));
        assertThat(tell(LAZY))
                .isInstanceOfSatisfying(
                        Changed.class,
                        changed -> assertThat(changed.part().state())
                                .containsExactly(new RoomPart.Line(bob, Membership.LEAVE, false)));
    }

    @Test
    void lazyReadersGetTheMembersWhoSpeak() {
        var bob = new RingEvent(60, Events.member("bob", BOB, BOB, Membership.INVITE, Membership.JOIN, 2, 0));
        add(Events.message("a", BOB));
        assertThat(tell(LAZY)).isEqualTo(new Lacks(List.of(new UnknownMember(BOB, Long.MAX_VALUE))));
        ring.learn(List.of(bob), 100);
        assertThat(tell(LAZY))
                .isInstanceOfSatisfying(
                        Changed.class,
                        changed -> assertThat(changed.part().state())
                                .extracting(RoomPart.Line::ringEvent)
                                .containsExactly(bob));
    }

    @Test
    void aReaderWithKnownMembershipsSeesOlderMembersAsTheirPositionDemands() {
        var bob = new RingEvent(
                40,
                Events.replacing(
                        Events.member("bob", BOB, BOB, Membership.JOIN, Membership.JOIN, 2, 0), "older", 30, "joined"));
        add(Events.message("a", BOB));
        ring.learn(List.of(bob), 100);
        earlier = EarlierMemberships.NONE;
        assertThat(state()).containsExactly(new RoomPart.Line(bob, Membership.LEAVE, false));
        earlier = EarlierMemberships.NONE.then(35, Membership.INVITE);
        assertThat(state()).containsExactly(new RoomPart.Line(bob, Membership.INVITE, false));
        earlier = EarlierMemberships.NONE.then(20, Membership.JOIN).then(45, Membership.LEAVE);
        assertThat(state()).containsExactly(new RoomPart.Line(bob, Membership.JOIN, true));
    }

    @Test
    void aRenameComesWithTheNameBefore() {
        earlier = EarlierMemberships.NONE;
        var bob = new RingEvent(60, Events.member("bob", BOB, BOB, Membership.INVITE, Membership.JOIN, 2, 0));
        ring.learn(List.of(bob), 100);
        add(Events.member("renamed", BOB, BOB, Membership.JOIN, Membership.JOIN, 2, 0));
        add(Events.message("a", BOB));
        assertThat(state()).extracting(RoomPart.Line::ringEvent).containsExactly(bob);
        ring.forgetMembers();
        assertThat(tell(LAZY)).isEqualTo(new Lacks(List.of(new UnknownMember(BOB, 101))));
    }

    @Test
    void theStateAfterHasTheNewNames() {
        stateAfter = true;
        earlier = EarlierMemberships.NONE;
        var eve = new UserId("@eve:s");
        var bob = new RingEvent(60, Events.member("bob", BOB, BOB, Membership.INVITE, Membership.JOIN, 2, 0));
        var old = new RingEvent(70, Events.member("eve", eve, eve, Membership.INVITE, Membership.JOIN, 2, 0));
        ring.learn(List.of(bob, old), 100);
        add(Events.message("a", eve));
        add(Events.member("renamed", BOB, BOB, Membership.JOIN, Membership.JOIN, 2, 0));
        assertThat(state())
                .extracting(line -> line.ringEvent().meta().eventId())
                .containsExactly(Events.id("eve"), Events.id("renamed"));
    }

    private List<RoomPart.Line> state() {
        return ((Changed) tell(LAZY)).part().state();
    }

    private void add(EventAppended event) {
        ring.add(new RingEvent(ring.last() + 1, event), 0);
    }

    private Verdict tell(RoomFilter filter) {
        return WarmRoom.read(reading(100, filter), ring.between(100, 200), ring);
    }

    private WarmReader reading(long since, RoomFilter filter) {
        return new WarmReader(
                new RoomId("!r:s"), ADA, 3, 50, earlier, met, since, 200, filter, Set.of(ADA.value()), stateAfter);
    }
}
