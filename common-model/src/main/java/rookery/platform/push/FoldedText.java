// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import java.util.HashSet;
import java.util.Set;

/**
 * A text prepared for patterns: case-folded code points and word boundaries. A word consists of {@code A-Z a-z 0-9 _} only
 * (contract.md 12.4), so every letter of most scripts is next to a word boundary.
 */
final class FoldedText {
    /** The most code points of other scripts in one term: more would be more selective, but also more terms. */
    static final int GRAM_MAX = 3;

    private static final int ASCII = 128;
    private static final int DOTTED_CAPITAL_I = 0x130;
    private static final int DOTLESS_I = 0x131;

    private final int[] points;
    private final boolean[] word;
    /** Whether a letter of another script folds to an ASCII letter: the long s, the Kelvin sign. */
    private final boolean disguised;

    private FoldedText(int[] points, boolean[] word, boolean disguised) {
        this.points = points;
        this.word = word;
        this.disguised = disguised;
    }

    static FoldedText of(String text) {
        int[] points = text.codePoints().toArray();
        var word = new boolean[points.length];
        boolean disguised = false;
        for (int i = 0; i < points.length; i++) {
            int folded = fold(points[i]);
            word[i] = isWord(points[i]);
            disguised |= points[i] >= ASCII && folded < ASCII;
            points[i] = folded;
        }
        return new FoldedText(points, word, disguised);
    }

    /** Unicode's simple case folding, which leaves the two Turkish letters unchanged. */
    static int fold(int point) {
        if (point < ASCII) {
            return point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point;
        }
        if (point == DOTTED_CAPITAL_I || point == DOTLESS_I) {
            return point;
        }
        return Character.toLowerCase(Character.toUpperCase(point));
    }

    static String fold(String text) {
        return text.codePoints()
                .map(FoldedText::fold)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    static boolean isWord(int point) {
        return (point >= 'a' && point <= 'z')
                || (point >= 'A' && point <= 'Z')
                || (point >= '0' && point <= '9')
                || point == '_';
    }

    int length() {
        return points.length;
    }

    int at(int index) {
        return points[index];
    }

    /** Whether the index is a word boundary at the beginning of a match. */
    boolean mayBegin(int index) {
        return index == 0 || !word[index - 1];
    }

    /** Whether the index is a word boundary at the end of a match. */
    boolean mayEnd(int index) {
        return index == points.length || !word[index];
    }

    /**
     * Returns every possible {@link Glob#term} of a pattern that matches words of this text: its words, and all runs of one to
     * three code points of other scripts.
     */
    Set<String> terms() {
        var terms = new HashSet<String>();
        int begin = 0;
        for (int i = 0; i < points.length; i++) {
            if (!isWord(points[i])) {
                addWord(terms, begin, i);
                begin = i + 1;
            }
            for (int length = 1; length <= Math.min(GRAM_MAX, i + 1) && isForeign(points[i - length + 1]); length++) {
                terms.add(new String(points, i - length + 1, length));
            }
        }
        addWord(terms, begin, points.length);
        return terms;
    }

    /**
     * Whether {@link #terms} is complete. A disguised letter is both part of a word and a word boundary, which makes the
     * terms incomplete.
     */
    boolean termsAreComplete() {
        return !disguised;
    }

    private void addWord(Set<String> terms, int begin, int end) {
        if (begin < end) {
            terms.add(new String(points, begin, end - begin));
        }
    }

    /** Whether a code point is neither part of a word nor ASCII. */
    static boolean isForeign(int point) {
        return point >= ASCII;
    }
}
