// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarksTest {
    private static final Marks MARKS = Marks.NONE
            .at(7)
            .with(Mark.TYPING, 1)
            .with(Mark.PRESENCE, 2)
            .with(Mark.CORRECTIONS, 3)
            .with(Mark.COUNTS_DOUBT, CountsDoubt.GUESSED.code);

    @Test
    void eachMarkHasAValueOfItsOwn() {
        assertThat(MARKS.node()).isEqualTo(7);
        assertThat(MARKS.of(Mark.TYPING)).isEqualTo(1);
        assertThat(MARKS.of(Mark.PRESENCE)).isEqualTo(2);
        assertThat(MARKS.of(Mark.CORRECTIONS)).isEqualTo(3);
        assertThat(MARKS.countsDoubt()).isEqualTo(CountsDoubt.GUESSED);
        assertThat(Marks.NONE.with(Mark.PRESENCE, 2).of(Mark.TYPING)).isZero();
        assertThat(MARKS.with(Mark.PRESENCE, 5).with(Mark.PRESENCE, 2)).isEqualTo(MARKS);
    }

    @Test
    void anotherNodeKeepsWhatIsNotOfTheFirst() {
        var there = MARKS.at(8);
        assertThat(there.node()).isEqualTo(8);
        assertThat(there.of(Mark.TYPING)).isZero();
        assertThat(there.of(Mark.PRESENCE)).isZero();
        assertThat(there.of(Mark.CORRECTIONS)).isZero();
        assertThat(there.countsDoubt()).isEqualTo(CountsDoubt.GUESSED);
    }

    @Test
    void whatIsNotChangedIsNotCopied() { // waiting requests keep marks in memory and compare them often
        assertThat(MARKS.with(Mark.PRESENCE, 2)).isSameAs(MARKS);
        assertThat(MARKS.at(7)).isSameAs(MARKS);
        assertThat(Marks.NONE.with(Mark.TYPING, 5).with(Mark.TYPING, 0)).isSameAs(Marks.NONE);
    }

    @Test
    void whatANewerReleaseMarkedIsKept() {
        var newer = Marks.of(7, 1, 2, 3, 1, 99);
        assertThat(newer.with(Mark.TYPING, 5)).isEqualTo(Marks.of(7, 5, 2, 3, 1, 99));
        assertThat(newer.at(8)).isEqualTo(Marks.of(8, 0, 0, 0, 1, 99));
    }
}
