// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
    private static final int CASES = 200_000;
    /** A small alphabet, so that patterns match now and then: both cases, word characters and others, other scripts. */
    private static final int[] TEXT = "aAbB_1  -ñÑж".codePoints().toArray();

    private static final int[] PATTERN = "aAb_ -ñ*?".codePoints().toArray();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "m.room.*|m.room.message|true",
                "m.room.*|m.room.|true",
                "m.room.*|xm.room.x|false",
                "m.room.member|M.Room.Member|true",
                "m?room|mxroom|true",
                "m?room|mroom|false",
                "m?room|m😀room|true",
                "*|``|true",
                "``|``|true",
                "``|a|false",
                "?*|``|false",
                "a**b|ab|true",
                "a.b|axb|false",
                "STRASSE|straße|false",
                "ΣΊΣΥΦΟΣ|σίσυφος|true",
                "привет|ПРИВЕТ|true",
                "k|\u212a|true",
                "i|\u0130|false",
                "i|\u0131|false",
                "[a-z]|b|false",
                "\\*|\\xyz|true",
            })
    void wholeTextsMatch(String pattern, String text, boolean expected) {
        assertThat(Glob.of(pattern).matches(FoldedText.of(text))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cake|Cake, please|true",
                "cake|a piece of CAKE|true",
                "cake|cakes|false",
                "cake|pancake|false",
                "cake|cake_1|false",
                "cake|piece-of-cake!|true",
                "cake*|cakes|true",
                "*cake|pancake|true",
                "*cake|pancakes|false",
                "c?ke|one coke|true",
                "lunch time|at Lunch Time.|true",
                "lunch*time|at lunch is the time|true",
                "lunch*time|at lunch is the timetable|false",
                "über|xüber|false",
                "привет|яприветя|true",
                "привет|xпривет|false",
                "!|hi !|true",
                "!|hi!|false",
                "c++|learn C++|true",
                "``|``|true",
                "``|hello|false",
                "``|hello  there|true",
                "*|``|true",
                "*|hello|true",
            })
    void wordsMatch(String pattern, String text, boolean expected) {
        assertThat(Glob.of(pattern).matchesWords(FoldedText.of(text))).isEqualTo(expected);
    }

    @Test
    void starsOfATextAreOnlyStars() {
        assertThat(Glob.ofText("*a?").matchesWords(FoldedText.of("hello *A?, you")))
                .isTrue();
        assertThat(Glob.ofText("*a?").matchesWords(FoldedText.of("hello ab, you")))
                .isFalse();
    }

    @Test
    void verdictsAreThoseOfTryingEverything() {
        var random = new Random(20_261_121);
        int matched = 0;
        int found = 0;
        for (int i = 0; i < CASES; i++) {
            var pattern = text(random, PATTERN, random.nextInt(8));
            var text = text(random, TEXT, random.nextInt(12));
            boolean matches = Oracle.matches(pattern, text);
            boolean finds = Oracle.finds(pattern, text);
            var glob = Glob.of(pattern);
            var folded = FoldedText.of(text);
            if (glob.matches(folded) != matches || glob.matchesWords(folded) != finds) {
                fail("'%s' is %s, and in it %s, by '%s'", text, matches, finds, pattern);
            }
            matched += matches ? 1 : 0;
            found += finds ? 1 : 0;
        }
        assertThat(matched).isBetween(CASES / 40, CASES / 2);
        assertThat(found).isBetween(CASES / 10, CASES * 9 / 10);
    }

    /** States that do not fit into one machine word are carried from one to the next. */
    @Test
    void longPatternsAreJudgedLikeShortOnes() {
        var random = new Random(7);
        int matched = 0;
        for (int i = 0; i < 2_000; i++) {
            var text = text(random, TEXT, 60 + random.nextInt(200));
            var pattern = new StringBuilder(text);
            for (int change = random.nextInt(4); change >= 0; change--) {
                int at = random.nextInt(pattern.length() - 20);
                var wild = random.nextBoolean() ? "?" : "*";
                pattern.replace(at, at + (wild.equals("?") ? 1 : random.nextInt(20)), wild);
            }
            if (random.nextInt(3) == 0) {
                pattern.append('b');
            }
            boolean matches = Oracle.matches(pattern.toString(), text);
            matched += matches ? 1 : 0;
            assertThat(Glob.of(pattern.toString()).matches(FoldedText.of(text)))
                    .as("'%s' of '%s'", pattern, text)
                    .isEqualTo(matches);
        }
        assertThat(matched).isBetween(500, 1_900);
    }

    /** Backtracking would take exponential time here. */
    @Test
    void manyStarsTakeNoLongerThanOne() {
        var pattern = "*a".repeat(100) + "*b";
        var text = FoldedText.of("a".repeat(65_536));
        assertThat(Glob.of(pattern).matches(text)).isFalse();
        assertThat(Glob.of(pattern).matchesWords(text)).isFalse();
        assertThat(Glob.of(pattern + "*").matchesWords(FoldedText.of("a".repeat(65_535) + "b")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            quoteCharacter = '`',
            value = {
                "cake|cake",
                "Lunch Time|lunch",
                "lunch*time|-",
                "lunch *time|lunch",
                "cak?|-",
                "*cake|-",
                "in-house|house",
                "Привет|при",
                "ab Привет|при",
                "*Привет|при",
                "П*ривет|рив",
                "П?|п",
                "!|-",
                "`` |-",
            })
    void termIsTheLongestPieceThatATextMustHave(String pattern, String term) {
        assertThat(Glob.of(pattern).term()).isEqualTo(term);
    }

    @Test
    void everyTextThatMatchesHasTheTerm() {
        var random = new Random(4);
        int judged = 0;
        for (int i = 0; i < CASES; i++) {
            var term = Glob.of(text(random, PATTERN, random.nextInt(8)));
            var text = FoldedText.of(text(random, TEXT, random.nextInt(12)));
            if (term.term() != null && term.matchesWords(text)) {
                assertThat(text.terms()).contains(term.term());
                judged++;
            }
        }
        assertThat(judged).isGreaterThan(1_000);
    }

    private static String text(RandomGenerator random, int[] from, int length) {
        var text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(from[random.nextInt(from.length)]);
        }
        return text.toString();
    }

    /** Tries every match, exactly as the contract defines a match. */
    private static final class Oracle {
        static boolean matches(String pattern, String text) {
            return matches(pattern, 0, text, 0, text.length());
        }

        private static boolean matches(String pattern, int p, String text, int begin, int end) {
            if (p == pattern.length()) {
                return begin == end;
            }
            char first = pattern.charAt(p);
            if (first == '*') {
                return matches(pattern, p + 1, text, begin, end)
                        || (begin < end && matches(pattern, p, text, begin + 1, end));
            }
            return begin < end
                    && (first == '?' || text.regionMatches(true, begin, pattern, p, 1))
                    && matches(pattern, p + 1, text, begin + 1, end);
        }

        static boolean finds(String pattern, String text) {
            for (int begin = 0; begin <= text.length(); begin++) {
                for (int end = begin; end <= text.length(); end++) {
                    if ((begin == 0 || isBoundary(text.charAt(begin - 1)))
                            && (end == text.length() || isBoundary(text.charAt(end)))
                            && matches(pattern, 0, text, begin, end)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private static boolean isBoundary(char c) {
            return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_".indexOf(c) < 0;
        }
    }
}
