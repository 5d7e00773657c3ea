// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataAccessResourceFailureException;
import rookery.model.token.Positions;
import rookery.platform.log.append.EarlierEpochs;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;
import rookery.testing.SetClock;

class DerivingListenerTest {
    private final MemoryShards shards = new MemoryShards(new Head(0, 3, 0));
    private final MemoryDerivation derivation = new MemoryDerivation(shards);
    private final SetClock clock = new SetClock();
    private final DerivingListener<String> listener = new DerivingListener<>(shards, derivation, shards, clock);

    /** The heads of the log: epoch, position, and the end of the epoch 3 if the log is in a later one. */
    private static LogState state(long epoch, long pos, @Nullable Long endOfEpoch3) {
        var earlier =
                endOfEpoch3 == null ? EarlierEpochs.NONE : new EarlierEpochs(Map.of(3L, Positions.of(endOfEpoch3)));
        return new LogState(new Heads(epoch, Positions.of(pos)), earlier);
    }

    private void begin() {
        listener.begin(state(3, 100, null));
    }

    /** A stretch after a position, with an entry for each body: one in {@code …} does not end its unit. */
    private static Stretch stretch(long from, String... bodies) {
        var entries = IntStream.range(0, bodies.length)
                .mapToObj(i -> ScriptedOwner.entry(0, 3, from + i + 1, bodies[i]))
                .toList();
        long to = from + bodies.length;
        return new Stretch(0, 3, from, entries, to, 100 + to, to);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "3,  50, 3, 50,  -,  50, continues",
                "3,  50, 3, 49,  -,  0,  restarts",
                "3,  50, 4, 90, 50,  50, continues",
                "3,  50, 4, 90, 49,  0,  restarts",
                "3,  50, 4, 90,  -,  0,  restarts",
                "0,   0, 3, 90,  -,  0,  restarts",
            })
    void beginsAtItsPositionUnlessTheLogHasLostIt(
            long epoch, long pos, long logEpoch, long head, @Nullable Long endOfEpoch3, long begin, String outcome) {
        shards.heads.set(0, new Head(0, epoch, pos, 7));
        shards.rows.add("earlier");
        listener.beforeBegin();
        var begun = listener.begin(state(logEpoch, head, endOfEpoch3));
        assertThat(begun.positions().at(0)).isEqualTo(begin);
        assertThat(begun.epoch()).isEqualTo(logEpoch);
        assertThat(shards.heads.getFirst().epoch()).isEqualTo(logEpoch);
        assertThat(shards.rows.isEmpty()).isEqualTo(outcome.equals("restarts"));
    }

    @Test
    void keepsTheRowsWhenAnotherInstanceFollowsWhileTheOwnerIsAsked() {
        shards.heads.set(0, new Head(0, 3, 49, 7));
        shards.rows.add("earlier");
        listener.beforeBegin();
        var answer = state(3, 49, null);
        shards.heads.set(0, new Head(0, 3, 50, 8));
        var begun = listener.begin(answer);
        assertThat(begun.positions().at(0)).isEqualTo(50);
        assertThat(shards.rows).containsExactly("earlier");
    }

    @Test
    void waitsWhileAnotherInstanceFollowsANewerEpoch() {
        shards.heads.set(0, new Head(0, 4, 50));
        assertThatThrownBy(this::begin).isInstanceOf(IllegalStateException.class);
        assertThat(shards.heads).containsExactly(new Head(0, 4, 50));
    }

    @Test
    void rowsAndPositionAreOneTransaction() {
        begin();
        int before = shards.transactions;
        listener.apply(stretch(0, "a", "skip", "", "unreadable", "b"));
        assertThat(shards.rows).containsExactly("1=a", "5=b");
        assertThat(shards.heads).containsExactly(new Head(0, 3, 5, 105));
        assertThat(shards.transactions - before).isEqualTo(1);
    }

    private static Stretch of(int shard, Stretch stretch) {
        return new Stretch(
                shard,
                stretch.epoch(),
                stretch.from(),
                stretch.entries(),
                stretch.coveredTo(),
                stretch.number(),
                stretch.settledTo());
    }

    private void beginTwoShards() {
        shards.heads.add(new Head(1, 3, 0));
        listener.begin(new LogState(new Heads(3, Positions.of(100, 100)), EarlierEpochs.NONE));
    }

    @Test
    void stretchesOfSeveralShardsAreOneTransaction() {
        beginTwoShards();
        int before = shards.transactions;
        var stretches = List.of(stretch(0, "a", "b"), of(1, stretch(0, "c")));
        listener.prepare(stretches);
        stretches.forEach(listener::apply);
        assertThat(shards.rows).containsExactly("1=a", "2=b", "1=c");
        assertThat(shards.heads).containsExactly(new Head(0, 3, 2, 102), new Head(1, 3, 1, 101));
        assertThat(shards.transactions - before).isEqualTo(1);
        listener.apply(stretch(2, "d"));
        assertThat(shards.heads.getFirst()).isEqualTo(new Head(0, 3, 3, 103));
    }

    @Test
    void unitThatFailsAmongSeveralShardsStopsItsOwnOnly() {
        beginTwoShards();
        derivation.failure = body -> body.equals("bad") ? new IllegalArgumentException("bad") : null;
        listener.prepare(List.of(stretch(0, "a", "bad"), of(1, stretch(0, "c"))));
        assertThat(shards.rows).isEmpty();
        assertThatThrownBy(() -> listener.apply(stretch(0, "a", "bad"))).isInstanceOf(UnitFailedException.class);
        listener.apply(of(1, stretch(0, "c")));
        assertThat(shards.rows).containsExactly("1=a", "1=c");
    }

    @Test
    void shardThatAnotherInstanceHasMovedIsFollowedAlone() {
        beginTwoShards();
        shards.heads.set(1, new Head(1, 3, 1, 101));
        shards.rows.add("1=c");
        var stretches = List.of(stretch(0, "a"), of(1, stretch(0, "c", "d")));
        listener.prepare(stretches);
        stretches.forEach(listener::apply);
        assertThat(shards.rows).containsExactly("1=c", "1=a", "2=d");
    }

    @Test
    void entriesThatAnotherInstanceHasDerivedAreNotPrepared() {
        beginTwoShards();
        shards.heads.set(1, new Head(1, 3, 2, 102));
        listener.apply(of(1, stretch(0, "c"))); // finds that the other instance is ahead
        shards.heads.set(0, new Head(0, 3, 0));
        var stretches = List.of(stretch(0, "a"), of(1, stretch(1, "d", "e")));
        listener.prepare(stretches);
        stretches.forEach(listener::apply);
        assertThat(shards.rows).containsExactly("1=a", "3=e");
        assertThat(shards.heads).extracting(Head::pos).containsExactly(1L, 3L);
    }

    @Test
    void aPositionWithoutRowsIsStoredWithTheNextRowsOrAfterAWhile() {
        begin();
        int before = shards.transactions;
        listener.apply(stretch(0, "", ""));
        assertThat(shards.transactions).isEqualTo(before);

        listener.apply(stretch(2, "a"));
        assertThat(shards.heads).containsExactly(new Head(0, 3, 3, 103));

        listener.apply(stretch(3, ""));
        clock.advance(Duration.ofSeconds(10));
        listener.apply(stretch(4, ""));
        assertThat(shards.heads).containsExactly(new Head(0, 3, 5, 105));

        listener.apply(new Stretch(0, 3, 5, stretch(5).entries(), 1005, 1105, 1005));
        assertThat(shards.heads).containsExactly(new Head(0, 3, 1005, 1105));
    }

    @Test
    void onlyTheFailingUnitIsLeftOut() {
        begin();
        derivation.failure = body -> body.equals("bad") ? new IllegalArgumentException("bad") : null;
        assertThatThrownBy(() -> listener.apply(stretch(0, "a", "b", "bad", "c")))
                .isInstanceOfSatisfying(
                        UnitFailedException.class,
                        failure -> assertThat(failure.reached).isEqualTo(2));
        assertThat(shards.rows).containsExactly("1=a", "2=b");
        assertThat(shards.heads.getFirst().pos()).isEqualTo(2);
    }

    @Test
    void aUnitIsDerivedWhollyOrNotAtAll() {
        begin();
        derivation.failure = body -> body.equals("bad") ? new IllegalArgumentException("bad") : null;
        assertThatThrownBy(() -> listener.apply(stretch(0, "a", "b…", "bad"))).isInstanceOf(UnitFailedException.class);
        assertThat(shards.rows).containsExactly("1=a");
    }

    @Test
    void aDatabaseThatIsAwayFailsTheStretchAtOnce() {
        begin();
        derivation.failure = _ -> new DataAccessResourceFailureException("away");
        int before = shards.transactions;
        assertThatThrownBy(() -> listener.apply(stretch(0, "a", "b", "c", "d")))
                .isInstanceOf(DataAccessResourceFailureException.class);
        assertThat(shards.transactions - before).isEqualTo(1);
        assertThat(shards.heads.getFirst().pos()).isZero();
    }

    @Test
    void entriesThatAnotherInstanceHasDerivedAreSkipped() {
        begin();
        shards.heads.set(0, new Head(0, 3, 2, 102));
        listener.apply(stretch(0, "a", "b", "c"));
        assertThat(shards.rows).containsExactly("3=c");
        assertThat(shards.heads).containsExactly(new Head(0, 3, 3, 103));
    }

    @Test
    void aStretchThatAnotherInstanceHasPassedIsSkipped() {
        begin();
        shards.heads.set(0, new Head(0, 3, 9, 109));
        listener.apply(stretch(0, "a", "b", "c"));
        assertThat(shards.rows).isEmpty();
        assertThat(shards.heads).containsExactly(new Head(0, 3, 9, 109));
    }

    @Test
    void beginsAgainAfterAnotherInstanceHasRestarted() {
        begin();
        shards.heads.set(0, new Head(0, 4, 1));
        assertThatThrownBy(() -> listener.apply(stretch(0, "a"))).isInstanceOf(IllegalStateException.class);
        assertThat(shards.rows).isEmpty();
    }
}
