// SPDX-License-Identifier: Apache-2.0
package rookery.platform.search;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/**
 * Normalises text for searches, independent of the locale of the JVM and of the database. Stored text was normalised by this
 * class, so a change needs a migration. Without I/O.
 */
public final class SearchLetters {
    /** Scripts that write words without spaces, and Korean, where particles follow a word without a space. */
    private static final Set<UnicodeScript> UNSPACED = Set.of(
            UnicodeScript.HAN,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KATAKANA,
            UnicodeScript.HANGUL,
            UnicodeScript.THAI,
            UnicodeScript.LAO,
            UnicodeScript.KHMER,
            UnicodeScript.MYANMAR);

    private static final String DOTTED_I = "i\u0307"; // the lower case of the Turkish capital letter

    private SearchLetters() {}

    /** Folds case and variants: the sharp s to ss, the final sigma to sigma, each Turkish i to i. */
    public static String folded(String text) {
        return lowerCase(text)
                .replace(DOTTED_I, "i")
                .replace('ı', 'i')
                .replace("ß", "ss")
                .replace('ς', 'σ');
    }

    /** Lower case, without compatibility variants of the same letter. */
    public static String lowerCase(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    }

    /** Whether a code point is part of a word: a letter, a digit, or a mark on one. */
    public static boolean isOfWord(int point) {
        return Character.isLetterOrDigit(point) || isMark(point);
    }

    public static boolean isMark(int point) {
        int type = Character.getType(point);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
    }

    /** Whether words of the letter's script may begin at any letter. */
    public static boolean isUnspaced(int point) {
        return point > 0x7F && UNSPACED.contains(UnicodeScript.of(point));
    }
}
