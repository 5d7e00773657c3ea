// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.sync.testing.Events;

class RoomRingTest {
    private static final UserId ADA = new UserId("@ada:s");

    private final RoomRing ring = new RoomRing(100, 5, 1 << 20, new RingBudget(Long.MAX_VALUE));

    @Test
    void knowsNothingBeforeItBegan() {
        assertThat(ring.between(99, 200)).isNull();
        assertThat(ring.between(100, 200)).isEmpty();
        assertThat(ring.last()).isEqualTo(100);
    }

    @Test
    void givesWhatLiesBetweenInOrder() {
        add(103, 105, 109);
        assertThat(positions(100, 200)).containsExactly(103L, 105L, 109L);
        assertThat(positions(103, 108)).containsExactly(105L);
        assertThat(positions(109, 200)).isEmpty();
    }

    @Test
    void takesNothingTwice() {
        add(103, 105);
        add(103, 105, 106);
        assertThat(positions(100, 200)).containsExactly(103L, 105L, 106L);
    }

    @Test
    void saysThatItForgot() {
        add(101, 102, 103, 104, 105, 106);
        assertThat(ring.between(100, 200)).isNull();
        assertThat(positions(101, 200)).containsExactly(102L, 103L, 104L, 105L, 106L);
    }

    @Test
    void dropsWhatIsTooMuch() {
        var small = new RoomRing(0, 100, 2000, new RingBudget(Long.MAX_VALUE));
        for (int pos = 1; pos <= 10; pos++) {
            small.add(new RingEvent(pos, Events.message("e" + pos, ADA)), 0);
        }
        assertThat(small.between(0, 20)).isNull();
        assertThat(small.between(9, 20)).hasSize(1);
    }

    @Test
    void dropsWhatIsTooOld() {
        ring.add(new RingEvent(101, Events.message("a", ADA)), 1000);
        ring.add(new RingEvent(102, Events.message("b", ADA)), 2000);
        ring.dropBefore(1500);
        assertThat(ring.between(100, 200)).isNull();
        assertThat(positions(101, 200)).containsExactly(102L);
    }

    @Test
    void aMissedEventMakesEarlierReadersAskTheOwner() {
        add(101);
        ring.miss(103);
        add(105);
        assertThat(ring.between(101, 200)).isNull();
        assertThat(positions(103, 200)).containsExactly(105L);
        assertThat(ring.last()).isEqualTo(105);
    }

    @Test
    void learnsMembersUnlessItHasNewerOnes() {
        var old = new RingEvent(50, Events.member("old", ADA, ADA, Membership.INVITE, Membership.JOIN, 1, 0));
        var renamed = new RingEvent(104, Events.member("new", ADA, ADA, Membership.JOIN, Membership.JOIN, 1, 0));
        ring.learn(List.of(old), 99); // from before the ring's first position: later events may be missing
        assertThat(member(Long.MAX_VALUE)).isNull();
        ring.learn(List.of(old), 100);
        assertThat(member(Long.MAX_VALUE)).isEqualTo(old);
        ring.add(renamed, 0);
        ring.learn(List.of(old), 103);
        assertThat(member(Long.MAX_VALUE)).isEqualTo(renamed);
    }

    @Test
    void aRedactionStripsWhatIsHeld() {
        var topic = Events.state("old-topic", "m.room.topic", "", ADA);
        var next = Events.replacing(Events.state("next", "m.room.topic", "", ADA), "old-topic", 102, "shared");
        ring.add(new RingEvent(101, Events.message("secret", ADA)), 0);
        ring.add(new RingEvent(102, topic), 0);
        ring.add(new RingEvent(103, next), 0);
        ring.add(new RingEvent(104, Events.redaction("r1", ADA, "secret")), 0);
        ring.add(new RingEvent(105, Events.redaction("r2", ADA, "old-topic")), 0);
        var held = between(100, 105);
        assertThat(held.get(0).event().eventJson()).contains("\"content\":{}");
        assertThat(held.get(0).event().redactedBecauseJson()).contains("$r1");
        assertThat(held.get(1).event().redactedBecauseJson()).contains("$r2");
        assertThat(held.get(2).event().prevContentJson()).isEqualTo("{}");
        assertThat(held.get(2).event().eventJson()).contains("next");
        assertThat(held).extracting(RingEvent::pos).containsExactly(101L, 102L, 103L, 104L, 105L);
    }

    @Test
    void theFirstRedactionIsTold() {
        ring.add(new RingEvent(101, Events.message("secret", ADA)), 0);
        ring.add(new RingEvent(102, Events.redaction("r1", ADA, "secret")), 0);
        ring.add(new RingEvent(103, Events.redaction("r2", ADA, "secret")), 0);
        assertThat(between(100, 101).getFirst().event().redactedBecauseJson()).contains("$r1");
    }

    @Test
    void aMemberThatWasReadBeforeItsRedactionIsLearnedWithoutIt() {
        var named = Events.event(
                "m", "m.room.member", ADA, ADA.value(), "{\"displayname\":\"Rude\",\"membership\":\"join\"}");
        ring.learn(List.of(new RingEvent(50, named)), 100);
        ring.add(new RingEvent(101, Events.redaction("r1", ADA, "m")), 0);
        assertThat(String.valueOf(member(Long.MAX_VALUE))).doesNotContain("Rude");
        ring.learn(List.of(new RingEvent(50, named)), 100);
        assertThat(String.valueOf(member(Long.MAX_VALUE))).contains("join").doesNotContain("Rude");
    }

    @Test
    void theMemberEventBeforeARenameIsKeptAsLongAsTheRename() {
        var old = new RingEvent(50, Events.member("old", ADA, ADA, Membership.INVITE, Membership.JOIN, 1, 0));
        var renamed = new RingEvent(102, Events.member("new", ADA, ADA, Membership.JOIN, Membership.JOIN, 1, 0));
        ring.learn(List.of(old), 100);
        add(101);
        ring.add(renamed, 0);
        add(103);
        assertThat(member(101)).isEqualTo(old);
        assertThat(member(102)).isEqualTo(renamed);
        assertThat(member(103)).isEqualTo(renamed);
        ring.add(new RingEvent(104, Events.redaction("r1", ADA, "old")), 0);
        assertThat(String.valueOf(member(101))).contains("$r1"); // redacted where a reader may still get the event
        ring.forgetMembers();
        assertThat(ring.member(ADA.value(), 101)).isEqualTo(new RoomRing.MemberAt(null, 102));
    }

    @Test
    void anUnknownMemberEventBeforeARenameIsLearnedWithLaterRedactions() {
        ring.add(new RingEvent(102, Events.member("new", ADA, ADA, Membership.JOIN, Membership.JOIN, 1, 0)), 0);
        assertThat(ring.member(ADA.value(), 101)).isEqualTo(new RoomRing.MemberAt(null, 102));
        ring.add(new RingEvent(103, Events.redaction("r1", ADA, "old")), 0);
        var old = new RingEvent(50, Events.member("old", ADA, ADA, Membership.INVITE, Membership.JOIN, 1, 0));
        ring.learnReplaced(old, 102, 102);
        assertThat(String.valueOf(member(101))).contains("$old", "$r1");
    }

    private @Nullable RingEvent member(long pos) {
        return ring.member(ADA.value(), pos).event();
    }

    private void add(long... positions) {
        for (long pos : positions) {
            ring.add(new RingEvent(pos, Events.message("e" + pos, ADA)), 0);
        }
    }

    private List<Long> positions(long after, long upto) {
        return between(after, upto).stream().map(RingEvent::pos).toList();
    }

    private List<RingEvent> between(long after, long upto) {
        var between = ring.between(after, upto);
        assertThat(between).isNotNull();
        return between == null ? List.of() : between;
    }
}
