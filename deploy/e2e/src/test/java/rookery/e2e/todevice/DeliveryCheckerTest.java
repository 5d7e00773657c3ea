// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.e2e.todevice.DeliveryViolation.Doubled;
import rookery.e2e.todevice.DeliveryViolation.Foreign;
import rookery.e2e.todevice.DeliveryViolation.Lost;
import rookery.e2e.todevice.DeliveryViolation.Multiplied;
import rookery.e2e.todevice.DeliveryViolation.Reordered;
import rookery.e2e.todevice.DeliveryViolation.ToldAgain;
import rookery.e2e.todevice.DeliveryViolation.ToldAnew;
import rookery.e2e.todevice.SyncAnswer.Message;

/** Every fault that the checker exists for, planted into a history that is otherwise fine. */
class DeliveryCheckerTest {
    private static final String BOB = "@bob:x BOB";

    private final List<SentMessage> sent =
            new ArrayList<>(List.of(accepted("t1", 0, 1), accepted("t2", 2, 3), accepted("t3", 4, 5)));
    private final List<SyncAnswer> answers = new ArrayList<>();
    private final List<StoredMessage> stored = new ArrayList<>();

    @Test
    void eachMessageOnceIsAsPromised() {
        answered("a", "b", "t1", "t2");
        answered("b", "c", "t3");
        answered("c", "c");
        assertThat(violations()).isEmpty();
        assertThat(DeliveryChecker.repeated(history())).isZero();
    }

    @Test
    void acceptedMessageThatIsNeverToldIsLost() {
        answered("a", "b", "t1");
        answered("b", "c", "t3");
        assertThat(violations()).containsExactly(new Lost(BOB, "t2"));
    }

    @Test
    void messageOnlyInAnAnswerThatTheDeviceLostIsLost() {
        missed("a", "b", "t1", "t2", "t3");
        answered("a", "b", "t1", "t3");
        assertThat(violations()).containsExactly(new Lost(BOB, "t2"));
    }

    @Test
    void deviceThatIsNeverAnsweredHasLostAll() {
        assertThat(DeliveryChecker.violations(new DeliveryHistory(sent, Map.of(), List.of())))
                .containsExactly(new Lost(BOB, "t1"), new Lost(BOB, "t2"), new Lost(BOB, "t3"));
    }

    @Test
    void messageThatNobodyAcceptedMayComeOrNot() {
        sent.add(new SentMessage("@ann:x", "@ann:x ANN", "t4", Set.of(BOB), 6, null));
        sent.add(new SentMessage("@ann:x", "@ann:x ANN", "t5", Set.of(BOB), 8, null));
        answered("a", "b", "t1", "t2", "t3", "t5");
        assertThat(violations()).isEmpty();
    }

    @Test
    void unacknowledgedMessagesMayBeToldAgain() {
        missed("a", "b", "t1", "t2");
        answered("a", "b", "t1", "t2");
        answered("a", "c", "t1", "t2", "t3"); // the same token once more acknowledges nothing
        assertThat(violations()).isEmpty();
        assertThat(DeliveryChecker.repeated(history())).isEqualTo(4);
    }

    @Test
    void acknowledgedMessageThatIsToldLaterIsFound() {
        answered("a", "b", "t1", "t2");
        answered("b", "c", "t3");
        answered("c", "d", "t1");
        assertThat(violations()).containsExactly(new ToldAgain(BOB, "t1", "c"));
    }

    @Test
    void acknowledgedMessageInTheAnswerToItsAcknowledgementIsFound() {
        answered("a", "b", "t1", "t2");
        answered("b", "c", "t2", "t3");
        assertThat(violations()).containsExactly(new ToldAgain(BOB, "t2", "b"));
    }

    @Test
    void acknowledgementOfAnAnswerThatTheDeviceLostIsNone() {
        missed("a", "b", "t1");
        answered("a", "c", "t1", "t2", "t3");
        assertThat(violations()).isEmpty();
    }

    @Test
    void acknowledgedMessageToWhoBeginsAnewIsFound() {
        answered("a", "b", "t1", "t2");
        answered("b", "c", "t3");
        answered(null, "c", "t2", "t3");
        assertThat(violations()).containsExactly(new ToldAnew(BOB, "t2"));
    }

    @Test
    void messageThatStandsTwiceInAnAnswerIsDoubled() {
        answered("a", "b", "t1", "t2", "t1", "t3");
        assertThat(violations()).containsExactly(new Doubled(BOB, "t1"));
    }

    @Test
    void messageThatComesOnceMoreAsAnotherOneIsFound() {
        answered("a", "b", "t1", "t2", "t3");
        answered("b", "c", "t3");
        stored("t1", 11);
        stored("t2", 12);
        stored("t3", 13);
        stored("t3", 19);
        assertThat(violations())
                .containsExactly(new ToldAgain(BOB, "t3", "b"), new Multiplied(BOB, "t3", List.of(13L, 19L)));
    }

    @Test
    void sameMessageForTwoDevicesIsOneForEach() {
        answered("a", "b", "t1", "t2", "t3");
        stored("t1", 11);
        stored.add(new StoredMessage("@bob:x OTHER", "t1", 12));
        assertThat(violations()).isEmpty();
    }

    @Test
    void laterMessageBeforeAnEarlierOneIsReordered() {
        answered("a", "b", "t1", "t3", "t2");
        assertThat(violations()).containsExactly(new Reordered(BOB, "@ann:x ANN", "t3", "t2"));
    }

    @Test
    void messagesThatWereSentAtTheSameTimeHaveNoOrder() {
        sent.set(0, accepted("t1", 0, 9));
        answered("a", "b", "t2", "t1", "t3");
        assertThat(violations()).isEmpty();
    }

    @Test
    void messagesOfTwoDevicesHaveNoOrder() {
        sent.add(new SentMessage("@ann:x", "@ann:x OTHER", "o1", Set.of(BOB), 0, 1L));
        answered("a", "b", "t1", "t2", "t3", "o1");
        assertThat(violations()).isEmpty();
    }

    @Test
    void messageThatNobodySentToTheDeviceIsForeign() {
        sent.add(new SentMessage("@ann:x", "@ann:x ANN", "t4", Set.of("@eve:x EVE"), 6, null));
        answered("a", "b", "t1", "t2", "t3", "t4", "t9");
        assertThat(violations()).containsExactly(new Foreign(BOB, "@ann:x", "t4"), new Foreign(BOB, "@ann:x", "t9"));
    }

    @Test
    void messageUnderTheNameOfAnotherSenderIsForeign() {
        answered("a", "b", "t1", "t2");
        answers.add(new SyncAnswer("b", "c", List.of(new Message("@eve:x", "t3")), true));
        assertThat(violations()).containsExactly(new Foreign(BOB, "@eve:x", "t3"));
    }

    private static SentMessage accepted(String tag, long begunNanos, long acceptedNanos) {
        return new SentMessage("@ann:x", "@ann:x ANN", tag, Set.of(BOB), begunNanos, acceptedNanos);
    }

    private void answered(@Nullable String since, String nextBatch, String... tags) {
        answer(since, nextBatch, true, tags);
    }

    private void missed(@Nullable String since, String nextBatch, String... tags) {
        answer(since, nextBatch, false, tags);
    }

    private void answer(@Nullable String since, String nextBatch, boolean isKept, String... tags) {
        var messages =
                Arrays.stream(tags).map(tag -> new Message("@ann:x", tag)).toList();
        answers.add(new SyncAnswer(since, nextBatch, messages, isKept));
    }

    private void stored(String tag, long pos) {
        stored.add(new StoredMessage(BOB, tag, pos));
    }

    private DeliveryHistory history() {
        return new DeliveryHistory(sent, Map.of(BOB, answers), stored);
    }

    private List<DeliveryViolation> violations() {
        return DeliveryChecker.violations(history());
    }
}
