package rookery.platform.push;

import java.util.HashSet;
import java.util.Set;

/**
 * A text as patterns see it: code points without case, and where the words end. A word is made of {@code A-Z a-z 0-9 _} and
 * of nothing else (contract.md 12.4), so every letter of most scripts stands beside a word boundary.
 */
final class FoldedText {
    /** As many code points of other scripts as one term holds: more would be more selective, and more terms. */
    static final int GRAM_MAX = 3;

    private static final int ASCII = 128;
    private static final int DOTTED_CAPITAL_I = 0x130;
    private static final int DOTLESS_I = 0x131;

    private final int[] points;
    private final boolean[] word;
    /** Whether a letter of another script is a plain one without case: the long s, the Kelvin sign. */
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

    /** Unicode's simple case folding, which leaves the two Turkish letters alone. */
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

    /** Whether a part of the text that begins there begins at a word boundary. */
    boolean mayBegin(int index) {
        return index == 0 || !word[index - 1];
    }

    /** Whether a part of the text that ends before the index ends at a word boundary. */
    boolean mayEnd(int index) {
        return index == points.length || !word[index];
    }

    /**
     * Everything that {@link Glob#term} of a pattern can be if the pattern matches some words of this text: its words, and of
     * other scripts every one, two and three code points that follow each other.
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

    /** Whether {@link #terms} are all. A letter in disguise is part of a word and an end of words at once, so then they are not. */
    boolean termsAreComplete() {
        return !disguised;
    }

    private void addWord(Set<String> terms, int begin, int end) {
        if (begin < end) {
            terms.add(new String(points, begin, end - begin));
        }
    }

    /** Whether a code point is of no word, and not of ASCII either. */
    static boolean isForeign(int point) {
        return point >= ASCII;
    }
}
