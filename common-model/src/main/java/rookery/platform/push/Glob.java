// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A case-insensitive pattern in which {@code *} matches any run of characters and {@code ?} one character.
 *
 * <p>Matching simulates an automaton with one bit for each state: bit i is set while the first i characters of the pattern match.
 * A character of the text moves all states at once, so the time is the length of the text times one for each 64 characters of the
 * pattern, however many stars there are.
 */
final class Glob {
    private static final int ANY = -1;
    private static final int BITS = Long.SIZE;

    /** Folded code points, or {@link #ANY}. */
    private final int[] symbols;
    /** The states before a star, which persist. */
    private final long[] lasting;
    /** The distinct code points of the pattern, sorted. */
    private final int[] alphabet;
    /** The states that each code point of the alphabet moves. */
    private final long[][] moving;
    /** The states that any other code point moves. */
    private final long[] movingByAny;

    private final boolean literal;
    private final @Nullable String term;

    private Glob(List<Integer> pattern, long[] stars, boolean literal) {
        this.symbols = pattern.stream().mapToInt(Integer::intValue).toArray();
        this.lasting = stars;
        this.movingByAny = new long[stars.length];
        this.literal = literal;
        this.alphabet =
                Arrays.stream(symbols).filter(c -> c != ANY).sorted().distinct().toArray();
        for (int i = 0; i < symbols.length; i++) {
            if (symbols[i] == ANY) {
                set(movingByAny, i);
            }
        }
        this.moving = Stream.generate(movingByAny::clone).limit(alphabet.length).toArray(long[][]::new);
        for (int i = 0; i < symbols.length; i++) {
            if (symbols[i] != ANY) {
                set(moving[Arrays.binarySearch(alphabet, symbols[i])], i);
            }
        }
        this.term = longestTerm();
    }

    static Glob of(String pattern) {
        return compiled(pattern, true);
    }

    /** Compiles a text without wildcards. */
    static Glob ofText(String text) {
        return compiled(text, false);
    }

    private static Glob compiled(String pattern, boolean wild) {
        int[] points = pattern.codePoints().toArray();
        var symbols = new ArrayList<Integer>(points.length);
        var stars = new long[points.length / BITS + 1];
        boolean literal = true;
        for (int point : points) {
            literal &= !wild || (point != '*' && point != '?');
            if (wild && point == '*') {
                set(stars, symbols.size());
            } else {
                symbols.add(wild && point == '?' ? ANY : FoldedText.fold(point));
            }
        }
        return new Glob(symbols, stars, literal);
    }

    /** The only text, folded, that the pattern matches; null if there are several. */
    @Nullable
    String literalText() {
        return literal ? new String(symbols, 0, symbols.length) : null;
    }

    /** Whether the pattern matches the whole text. */
    boolean matches(FoldedText text) {
        return literal ? isEqual(text) : run(text, false);
    }

    /** Whether the pattern matches a part of the text between word boundaries. */
    boolean matchesWords(FoldedText text) {
        return run(text, true);
    }

    /**
     * A term in {@link FoldedText#terms} of every text with {@link #matchesWords}, unless those terms are incomplete. Null if
     * there is none.
     */
    @Nullable
    String term() {
        return term;
    }

    private boolean isEqual(FoldedText text) {
        if (text.length() != symbols.length) {
            return false;
        }
        for (int i = 0; i < symbols.length; i++) {
            if (symbols[i] != text.at(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean run(FoldedText text, boolean words) {
        return lasting.length == 1 ? runInOneWord(text, words) : runInWords(text, words);
    }

    /** Like {@link #runInWords}, for patterns below 64 characters; several times as fast. */
    private boolean runInOneWord(FoldedText text, boolean words) {
        long states = 1;
        long end = 1L << symbols.length;
        boolean endsInStar = (lasting[0] & end) != 0;
        for (int i = 0; i < text.length(); i++) {
            if (words && text.mayBegin(i)) {
                states |= 1;
            }
            if ((states & end) != 0 && (endsInStar || (words && text.mayEnd(i)))) {
                return true;
            }
            states = ((states & movedBy(text.at(i))[0]) << 1) | (states & lasting[0]);
        }
        if (words && text.mayBegin(text.length())) {
            states |= 1;
        }
        return (states & end) != 0;
    }

    private boolean runInWords(FoldedText text, boolean words) {
        var states = new long[lasting.length];
        set(states, 0);
        boolean endsInStar = isSet(lasting, symbols.length);
        for (int i = 0; i < text.length(); i++) {
            if (words && text.mayBegin(i)) {
                set(states, 0);
            }
            if (isSet(states, symbols.length) && (endsInStar || (words && text.mayEnd(i)))) {
                return true;
            }
            step(states, movedBy(text.at(i)));
        }
        if (words && text.mayBegin(text.length())) {
            set(states, 0);
        }
        return isSet(states, symbols.length);
    }

    private long[] movedBy(int point) {
        int index = Arrays.binarySearch(alphabet, point);
        return index < 0 ? movingByAny : moving[index];
    }

    private void step(long[] states, long[] moved) {
        long carried = 0;
        for (int i = 0; i < states.length; i++) {
            long moves = states[i] & moved[i];
            states[i] = (moves << 1) | carried | (states[i] & lasting[i]);
            carried = moves >>> (BITS - 1);
        }
    }

    private static void set(long[] bits, int index) {
        bits[index / BITS] |= 1L << index;
    }

    private static boolean isSet(long[] bits, int index) {
        return (bits[index / BITS] & (1L << index)) != 0;
    }

    private @Nullable String longestTerm() {
        @Nullable String longest = null;
        for (int begin = 0; begin < symbols.length; begin++) {
            var candidate = termFrom(begin);
            if (candidate != null && (longest == null || candidate.length() > longest.length())) {
                longest = candidate;
            }
        }
        return longest;
    }

    private @Nullable String termFrom(int begin) {
        if (symbols[begin] >= 0 && FoldedText.isWord(symbols[begin])) {
            return isEdge(begin, begin - 1) ? wordFrom(begin) : null;
        }
        int end = begin;
        while (end < symbols.length
                && end - begin < FoldedText.GRAM_MAX
                && FoldedText.isForeign(symbols[end])
                && (end == begin || !isSet(lasting, end))) {
            end++;
        }
        return end == begin ? null : new String(symbols, begin, end - begin);
    }

    private @Nullable String wordFrom(int begin) {
        int end = begin + 1;
        while (end < symbols.length && symbols[end] >= 0 && FoldedText.isWord(symbols[end]) && !isSet(lasting, end)) {
            end++;
        }
        return isEdge(end, end) ? new String(symbols, begin, end - begin) : null;
    }

    /** Whether the state is a word boundary, given the pattern's neighbour beyond: none, or a character outside of words. */
    private boolean isEdge(int state, int neighbour) {
        if (isSet(lasting, state)) {
            return false;
        }
        return neighbour < 0
                || neighbour >= symbols.length
                || (symbols[neighbour] >= 0 && !FoldedText.isWord(symbols[neighbour]));
    }

    @Override
    public String toString() {
        return "Glob" + Arrays.toString(symbols);
    }
}
