// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.checking;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.e2e.checking.SentMessage.Reply;
import rookery.e2e.checking.Violation.Disagreeing;
import rookery.e2e.checking.Violation.Doubled;
import rookery.e2e.checking.Violation.Foreign;
import rookery.e2e.checking.Violation.Gap;
import rookery.e2e.checking.Violation.HalfUnit;
import rookery.e2e.checking.Violation.Late;
import rookery.e2e.checking.Violation.Lost;
import rookery.e2e.checking.Violation.Multiplied;
import rookery.e2e.checking.Violation.Overrun;
import rookery.e2e.checking.Violation.Reordered;

/** Every fault that the checker exists for, planted into a history that is otherwise fine. */
class CheckerTest {
    private static final String ROOM = "!r";
    private static final Duration PATIENCE = Duration.ofNanos(100);

    private final List<SentMessage> sent = new ArrayList<>(
            List.of(message("t1", "$1"), message("t2", "$2"), message("t3", "$3"), message("t4", null)));
    private final List<ReceivedEvent> received = new ArrayList<>();

    @Test
    void historyAsPromisedHasNoViolation() {
        hears("ann", "$1", "$2", "$3");
        hears("bob", "$1", "$2", "$3");
        assertThat(violations()).isEmpty();
    }

    @Test
    void messageThatNobodyAcknowledgedMayComeToAll() {
        hears("ann", "$1", "$2", "$4", "$3");
        hears("bob", "$1", "$2", "$4", "$3");
        assertThat(violations()).isEmpty();
    }

    @Test
    void messageThatNobodyAcknowledgedMayNotComeToSome() {
        hears("ann", "$1", "$2", "$4", "$3");
        hears("bob", "$1", "$2", "$3");
        assertThat(violations()).containsExactly(new Lost("bob", ROOM, "$4"));
    }

    @Test
    void acknowledgedMessageThatOneMissesIsLost() {
        hears("ann", "$1", "$2", "$3");
        hears("bob", "$1", "$3");
        assertThat(violations()).containsExactly(new Lost("bob", ROOM, "$2"));
    }

    @Test
    void acknowledgedMessageThatAllMissIsLost() {
        hears("ann", "$1", "$2");
        hears("bob", "$1", "$2");
        assertThat(violations()).containsExactlyInAnyOrder(new Lost("ann", ROOM, "$3"), new Lost("bob", ROOM, "$3"));
    }

    @Test
    void eventToldTwiceIsDoubled() {
        hears("ann", "$1", "$2", "$3");
        hears("bob", "$1", "$2", "$3", "$2");
        assertThat(violations()).containsExactly(new Doubled("bob", ROOM, "$2", 2));
    }

    @Test
    void differentOrdersAreFound() {
        hears("ann", "$1", "$2", "$3");
        hears("bob", "$1", "$3", "$2");
        assertThat(violations()).containsExactly(new Reordered(ROOM, "ann", "bob", "$2", "$3"));
    }

    @Test
    void messageThatBecameTwoEventsIsMultiplied() {
        hears("ann", "$1", "$2", "$3");
        hears("bob", "$1", "$2", "$3");
        received.add(new ReceivedEvent("ann", ROOM, "$9", "t1", 0));
        received.add(new ReceivedEvent("bob", ROOM, "$9", "t1", 0));
        assertThat(violations()).containsExactly(new Multiplied(ROOM, "t1", List.of("$1", "$9")));
    }

    @Test
    void repetitionsWithDifferentAnswersDisagree() {
        sent.set(
                0,
                new SentMessage(
                        "ann",
                        ROOM,
                        "x-t1",
                        "t1",
                        List.of(new Reply(null, 1), new Reply("$1", 2), new Reply("$7", 3))));
        hears("ann", "$1", "$2", "$3");
        hears("bob", "$1", "$2", "$3");
        assertThat(violations()).contains(new Disagreeing("ann", "x-t1", List.of("$1", "$7")));
    }

    @Test
    void eventOfARoomThatOneIsNotInIsForeign() {
        hears("ann", "$1", "$2", "$3");
        hears("bob", "$1", "$2", "$3");
        received.add(new ReceivedEvent("eve", ROOM, "$1", "t1", 0));
        assertThat(violations()).containsExactly(new Foreign("eve", ROOM, "$1"));
    }

    @Test
    void messageThatComesOnlyAfterTheWaitIsLate() {
        hears("ann", "$1", "$2");
        hears("bob", "$1", "$2", "$3");
        received.add(new ReceivedEvent("ann", ROOM, "$3", "t3", 1_000));
        assertThat(violations()).containsExactly(new Late("ann", ROOM, "$3", Duration.ofNanos(999)));
        assertThat(Checker.violations(history(), null)).isEmpty();
    }

    @Test
    void shardWithAHoleOrALostTailIsFound() {
        assertThat(shard(5, List.of(), 5, true)).isEmpty();
        assertThat(shard(0, List.of(), 0, null)).isEmpty();
        assertThat(shard(5, List.of(), 4, null)).isEmpty(); // a receipt at the head that is superseded
        assertThat(shard(5, List.of(3L), 5, true)).containsExactly(new Gap("room", 3, 5, List.of(3L)));
        assertThat(shard(5, List.of(5L), 4, null)).containsExactly(new Gap("room", 3, 5, List.of(5L)));
        assertThat(shard(5, List.of(), 6, true)).containsExactly(new Overrun("room", 3, 5, 6));
        assertThat(shard(5, List.of(), 5, false)).containsExactly(new HalfUnit("room", 3, 5));
    }

    private static List<Violation> shard(long head, List<Long> missing, long highest, @Nullable Boolean lastEndsUnit) {
        return new ShardLine("room", 3, head, missing, highest, lastEndsUnit).violations();
    }

    private static SentMessage message(String tag, @Nullable String eventId) {
        return new SentMessage("ann", ROOM, "x-" + tag, tag, List.of(new Reply(eventId, 1)));
    }

    private void hears(String client, String... eventIds) {
        Arrays.stream(eventIds)
                .map(eventId -> new ReceivedEvent(client, ROOM, eventId, "t" + eventId.substring(1), 2))
                .forEach(received::add);
    }

    private History history() {
        return new History(Map.of(ROOM, Set.of("ann", "bob")), sent, received);
    }

    private List<Violation> violations() {
        return Checker.violations(history(), PATIENCE);
    }
}
