// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import rookery.model.id.TenantRoom;
import rookery.platform.search.SearchLetters;

/**
 * The words of a text, equal for indexed texts and search terms, as {@link SearchLetters} folds them: no stop words, no stems.
 * Scripts without spaces between words, or with particles behind words, are indexed by single letters and by pairs. Pure.
 */
public final class SearchWords {
    /** The maximal number of words of a search term; more words would not narrow the result. */
    public static final int TERM_WORDS_MAX = 32;

    private static final int WORDS_MAX = 4_000;
    private static final int WORD_CHARS_MAX = 64;
    private static final int PLACES_MAX = 100; // PostgreSQL keeps at most 255 places of a word

    private SearchWords() {}

    /** The {@code tsvector} literal of a text in a room; an empty string for a text without words. */
    static String vector(TenantRoom room, String text) {
        Map<String, List<Integer>> places = new LinkedHashMap<>();
        int place = 0;
        for (String run : runs(SearchLetters.folded(text), WORDS_MAX)) {
            place++;
            for (String word : indexed(run)) {
                places.computeIfAbsent(word, _ -> new ArrayList<>()).add(place);
            }
        }
        if (places.isEmpty()) {
            return "";
        }
        var out = new StringBuilder();
        places.forEach((word, at) -> out.append(quoted(word))
                .append(':')
                .append(at.stream().limit(PLACES_MAX).map(String::valueOf).collect(Collectors.joining(",")))
                .append(' '));
        return out.append(ofTenant(room)).append(' ').append(ofRoom(room)).toString();
    }

    /** The {@code tsquery} for all words of a term; an empty string for a term without words. */
    public static String query(String term) {
        var words = new LinkedHashSet<String>();
        runs(SearchLetters.folded(term), TERM_WORDS_MAX).forEach(run -> words.addAll(searched(run)));
        return words.stream().limit(TERM_WORDS_MAX).map(SearchWords::quoted).collect(Collectors.joining(" & "));
    }

    /** The words to highlight in results: as written, and as folded. */
    public static List<String> highlights(String term) {
        return Stream.of(SearchLetters.lowerCase(term), SearchLetters.folded(term))
                .flatMap(text -> runs(text, TERM_WORDS_MAX).stream())
                .distinct()
                .toList();
    }

    /** A word in every row of the room and in few rows of other rooms; no text contains the word. */
    public static String ofRoom(TenantRoom room) {
        String id = room.room().value();
        var start = id.substring(0, Math.min(id.length(), 9)).replaceAll("[^!A-Za-z0-9]", "_");
        return quoted(start);
    }

    /** A word in exactly the rows of the tenant; no text contains the word. */
    public static String ofTenant(TenantRoom room) {
        return quoted("@" + room.tenant().value());
    }

    private static String quoted(String word) {
        return "'" + word + "'";
    }

    /** Splits a text into runs of letters and digits, and runs of letters of scripts without spaces. */
    private static List<String> runs(String text, int most) {
        var runs = new ArrayList<String>();
        var run = new StringBuilder();
        boolean unspaced = false;
        for (int i = 0; i < text.length() && runs.size() < most; i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            boolean isUnspaced = SearchLetters.isUnspaced(c);
            if (!SearchLetters.isOfWord(c) || (isUnspaced != unspaced && !SearchLetters.isMark(c))) {
                close(run, runs);
            } else if (unspaced && run.length() + Character.charCount(c) > WORD_CHARS_MAX) {
                split(run, runs);
            }
            if (SearchLetters.isOfWord(c)) {
                run.appendCodePoint(c);
                unspaced = run.length() == Character.charCount(c) ? isUnspaced : unspaced;
            }
        }
        if (runs.size() < most) {
            close(run, runs);
        }
        return runs;
    }

    /** Splits a long run without spaces; the new run begins with the last letter, so that no pair is lost. */
    private static void split(StringBuilder run, List<String> runs) {
        runs.add(run.toString());
        run.delete(0, run.offsetByCodePoints(run.length(), -1));
    }

    private static void close(StringBuilder run, List<String> runs) {
        if (!run.isEmpty()) {
            int end = Math.min(run.length(), WORD_CHARS_MAX);
            boolean splits = end < run.length() && Character.isHighSurrogate(run.charAt(end - 1));
            runs.add(run.substring(0, splits ? end - 1 : end));
            run.setLength(0);
        }
    }

    private static Set<String> indexed(String run) {
        if (!SearchLetters.isUnspaced(run.codePointAt(0))) {
            return Set.of(run);
        }
        var words = new LinkedHashSet<String>(pairs(run));
        run.codePoints().forEach(c -> words.add(Character.toString(c)));
        return words;
    }

    private static Set<String> searched(String run) {
        if (!SearchLetters.isUnspaced(run.codePointAt(0)) || run.codePointCount(0, run.length()) == 1) {
            return Set.of(run);
        }
        return new LinkedHashSet<>(pairs(run));
    }

    private static List<String> pairs(String run) {
        int[] letters = run.codePoints().toArray();
        var pairs = new ArrayList<String>();
        for (int i = 0; i + 1 < letters.length; i++) {
            pairs.add(new String(letters, i, 2));
        }
        return pairs;
    }
}
