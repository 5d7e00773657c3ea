// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;

class ShardTailTest {
    private final ScriptedOwner owner = new ScriptedOwner(1);
    private final RecordingFollower follower = new RecordingFollower();
    private long nanos;
    private final ShardTail tail =
            new ShardTail(new ShardTail.Source("log", 1, owner.client(), follower, () -> nanos), new Head(0, 1, 0));

    /** Records stretches as {@code from-to}, and fails with the unit that has a given position. */
    private static final class RecordingFollower implements LogFollower {
        final List<String> stretches = new ArrayList<>();
        long settled;
        long failing;

        @Override
        public Heads begin(LogState state) {
            return state.heads();
        }

        @Override
        public boolean wants(LogRecord bare) {
            return true;
        }

        @Override
        public void apply(Stretch stretch) {
            if (stretch.contains(failing)) {
                throw new UnitFailedException(failing - 1, new IllegalArgumentException("unit " + failing));
            }
            stretches.add((stretch.from() + 1) + "-" + stretch.coveredTo());
            settled = stretch.settledTo();
        }
    }

    /**
     * Runs steps: {@code 3} a record arrives, {@code 3…} one that does not end its unit, {@code 3x} one of another history;
     * {@code pass} applies what follows; {@code to3} reads from the owner up to a position; {@code verify}; {@code fail3} lets
     * the follower fail with a position, {@code fail0} with none; {@code +1000} lets milliseconds pass.
     */
    private void run(String steps) {
        for (var step : steps.split(" ", -1)) {
            if (step.equals("pass")) {
                tail.passOn();
            } else if (step.equals("verify")) {
                tail.verify();
            } else if (step.startsWith("to")) {
                tail.readTo(Long.parseLong(step.substring(2)), () -> false);
            } else if (step.startsWith("fail")) {
                follower.failing = Long.parseLong(step.substring(4));
            } else if (step.startsWith("+")) {
                nanos += Duration.ofMillis(Long.parseLong(step.substring(1))).toNanos();
            } else {
                tail.offer(record(step));
            }
        }
    }

    private static LogRecord record(String step) {
        long pos = Long.parseLong(step.replaceAll("\\D", ""));
        var entry = ScriptedOwner.entry(0, 1, pos, step.endsWith("…") ? "…" : "");
        return step.endsWith("x")
                ? new LogRecord(
                        0,
                        1,
                        pos,
                        "test",
                        true,
                        entry.tenant(),
                        null,
                        null,
                        "",
                        entry.batch() + 1,
                        entry.previous() + 1)
                : entry;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 2 pass                                | 1-2",
                "2 3 pass                                | ``",
                "2 pass 1 pass                           | 1-2",
                "1 pass 1 2 2 pass                       | 1-1 2-2",
                "3 to2 pass                              | 1-2 3-3",
                "3 to5                                   | 1-2 3-4 5-5",
                "1 pass 2x pass                          | 1-1",
                "1 pass 2x pass verify                   | 1-1 2-3",
                "fail2 1 2 3 pass                        | ``",
                "fail2 1 2 3 pass fail0 2 3 pass         | ``",
                "fail2 1 2 3 pass fail0 +1000 2 3 pass   | 2-2",
                "fail2 1 2 pass fail0 +1000 2 pass to5   | 2-2 3-4 5-5",
                "fail2 1 pass 2 pass +999 fail0 2 pass   | 1-1",
                "fail2 1 2 pass +1000 2 pass fail0 +1999 2 pass | ``",
                "fail2 1 2 pass +1000 2 pass fail0 +2000 2 pass | 2-2",
            },
            quoteCharacter = '`')
    void entriesAreAppliedOnceInOrderAndAFailedUnitAlone(String steps, String stretches) {
        owner.append(0, "1", "2", "3", "4", "5");
        run(steps);
        assertThat(String.join(" ", follower.stretches)).isEqualTo(stretches);
    }

    @Test
    void aHoleIsOldOnceItsRecordsHaveWaited() {
        run("2 pass");
        assertThat(tail.hasHole()).isTrue();
        assertThat(tail.hasHoleSince(nanos)).isFalse();
        run("+15 3 pass");
        assertThat(tail.hasHoleSince(nanos)).isTrue();
        assertThat(tail.firstEarly()).isEqualTo(2);
        run("1 pass");
        assertThat(tail.hasHole()).isFalse();
    }

    @Test
    void aRecordOfAnotherHistoryWaitsForTheOwnersVerdict() {
        owner.append(0, "1", "2");
        run("1 pass 2x pass");
        assertThat(tail.isDoubtful()).isTrue();
        run("verify");
        assertThat(tail.isDoubtful()).isFalse();
        assertThat(tail.pos()).isEqualTo(2);
    }

    @Test
    void aPositionThatTheOwnerHasLostIsAnError() {
        owner.append(0, "1", "2");
        run("1 2 pass");
        owner.loseAfter(0, 1, 7);
        assertThatThrownBy(tail::verify)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the log of log goes on in another epoch");
    }

    @Test
    void clientsSeeALongUnitOnlyOnceItHasEnded() {
        run("1 2… pass");
        assertThat(follower.settled).isEqualTo(1);
        run("3… pass");
        assertThat(follower.settled).isEqualTo(1);
        run("4 pass");
        assertThat(follower.settled).isEqualTo(4);
    }

    @Test
    void purgedEntriesAreNoHole() {
        owner.append(0, "1", "2", "3");
        owner.purge(0, 2);
        run("to3");
        assertThat(follower.stretches).containsExactly("1-3");
        assertThat(owner.ranges).isEqualTo(1);
    }

    @Test
    void earlyRecordsBeyondTheLimitAreReadFromTheOwner() {
        var large = "x".repeat(1 << 20);
        owner.append(0, large, large, large, large);
        for (int pos = 2; pos <= 4; pos++) {
            tail.offer(ScriptedOwner.entry(0, 1, pos, large));
        }
        run("to1 pass");
        assertThat(follower.stretches).containsExactly("1-2");
        run("to4");
        assertThat(follower.stretches).containsExactly("1-2", "3-4");
    }

    @ParameterizedTest
    @CsvSource({"2, 102, false", "2, 0, false", "3, 103, false", "2, 999, true", "1, 101, true"})
    void headsContradictAnotherBatchOrAMissingOne(long pos, long number, boolean contradict) {
        run("1 2 pass");
        var heads = new Heads(1, Positions.of(pos), List.of(number));
        assertThat(tail.contradicts(heads, nanos + 1)).isEqualTo(contradict);
    }

    @Test
    void headsFromBeforeAShardMovedContradictNothing() {
        var asked = nanos;
        run("1 2 pass");
        assertThat(tail.contradicts(new Heads(1, Positions.of(1), List.of(101L)), asked))
                .isFalse();
    }
}
