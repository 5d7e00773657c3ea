// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rookery.model.token.Positions;
import rookery.sync.unread.WholeAnswer.Open;
import rookery.sync.unread.WholeAnswer.Settled;

/** All transitions of all states. Positions are of one shard. */
class WholeAnswerTest {
    private static final WholeAnswer NONE = WholeAnswer.none();
    private static final WholeAnswer SETTLED = new Settled(at(5));
    /** Before the first call, without counts in an answer. */
    private static final WholeAnswer FIRST = open(null, null, false, false);
    /** Counts in an answer meanwhile. */
    private static final WholeAnswer GUESSED = open(null, null, true, false);
    /** Push-service's counts as of 7 or later are final. */
    private static final WholeAnswer CUT = open(at(5), at(7), true, false);
    /** Rules or ignore list changed when the node had counted up to 8. */
    private static final WholeAnswer CHANGED = open(at(5), at(8), false, true);

    record Row(WholeAnswer state, String event, UnaryOperator<WholeAnswer> transition, WholeAnswer then) {
        @Override
        public String toString() {
            return state + ", " + event;
        }
    }

    static List<Row> rows() {
        return List.of(
                new Row(NONE, "asked for", WholeAnswer::open, FIRST),
                new Row(SETTLED, "asked for", WholeAnswer::open, open(at(5), null, false, false)),
                new Row(GUESSED, "asked for", WholeAnswer::open, GUESSED),
                new Row(CHANGED, "asked for", WholeAnswer::open, CHANGED),
                // an answer without doubt is no guess
                new Row(NONE, "delivered", WholeAnswer::delivered, NONE),
                new Row(SETTLED, "delivered", WholeAnswer::delivered, SETTLED),
                new Row(FIRST, "delivered", WholeAnswer::delivered, GUESSED),
                new Row(CHANGED, "delivered", WholeAnswer::delivered, open(at(5), at(8), true, true)),
                // the last change counts
                new Row(SETTLED, "changed at 8", state -> state.changed(at(8)), CHANGED),
                new Row(CUT, "changed at 8", state -> state.changed(at(8)), open(at(5), at(8), true, true)),
                new Row(CHANGED, "changed at 9", state -> state.changed(at(9)), open(at(5), at(9), false, true)),
                // a cut raises the final position, and never lowers the position
                new Row(FIRST, "cut at 7", state -> cut(state, 7), open(null, at(7), false, false)),
                new Row(CUT, "cut at 9", state -> cut(state, 9), open(at(5), at(9), true, false)),
                new Row(CUT, "cut at 6", state -> cut(state, 6), CUT),
                // push-service does not know the settings: ask again
                new Row(
                        NONE,
                        "settings unknown",
                        state -> state.responded(false, at(9)),
                        open(null, null, false, true)),
                new Row(
                        SETTLED,
                        "settings unknown",
                        state -> state.responded(false, at(9)),
                        open(at(5), null, false, true)),
                new Row(
                        CUT,
                        "settings unknown",
                        state -> state.responded(false, at(9)),
                        open(at(5), at(7), true, true)),
                new Row(CHANGED, "settings unknown", state -> state.responded(false, at(9)), CHANGED),
                // push-service knows the settings: its counts from before are provisional
                new Row(NONE, "settings known", state -> state.responded(true, at(9)), NONE),
                new Row(SETTLED, "settings known", state -> state.responded(true, at(9)), SETTLED),
                new Row(CUT, "settings known", state -> state.responded(true, at(9)), CUT),
                new Row(
                        CHANGED,
                        "settings known",
                        state -> state.responded(true, at(9)),
                        open(at(5), at(9), false, false)),
                new Row(
                        CHANGED,
                        "settings known",
                        state -> state.responded(true, at(3)),
                        open(at(5), at(8), false, false)),
                // an answer settles the counts final by then
                new Row(NONE, "answered at 7", state -> state.answered(at(7)), new Settled(at(7))),
                new Row(SETTLED, "answered at 7", state -> state.answered(at(7)), new Settled(at(7))),
                new Row(GUESSED, "answered at 7", state -> state.answered(at(7)), new Settled(at(7))),
                new Row(CUT, "answered at 7", state -> state.answered(at(7)), new Settled(at(7))),
                new Row(CUT, "answered at 6", state -> state.answered(at(6)), open(at(6), at(7), true, false)),
                new Row(CHANGED, "answered at 9", state -> state.answered(at(9)), open(at(9), at(8), true, true)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void changesAsTheTableSays(Row row) {
        assertThat(row.transition.apply(row.state)).isEqualTo(row.then);
    }

    private static Positions at(long pos) {
        return Positions.of(pos);
    }

    private static WholeAnswer open(
            @Nullable Positions at, @Nullable Positions finalFrom, boolean isGuessed, boolean areSettingsUnknown) {
        return new Open(at, finalFrom, isGuessed, areSettingsUnknown);
    }

    private static WholeAnswer cut(WholeAnswer state, long pos) {
        return ((Open) state).notBefore(1, 0, pos);
    }
}
