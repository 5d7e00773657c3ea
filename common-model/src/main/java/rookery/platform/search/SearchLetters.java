package rookery.platform.search;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/**
 * The letters of a text as searches compare them, whatever locale the JVM and the database have. What is stored was folded by this
 * class, so a change of it needs a migration. Pure.
 */
public final class SearchLetters {
    /** Scripts whose words follow each other without a space, and Korean, where particles follow a word without one. */
    private static final Set<UnicodeScript> UNSPACED = Set.of(
            UnicodeScript.HAN,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KATAKANA,
            UnicodeScript.HANGUL,
            UnicodeScript.THAI,
            UnicodeScript.LAO,
            UnicodeScript.KHMER,
            UnicodeScript.MYANMAR);

    private static final String DOTTED_I = "i\u0307"; // what the Turkish capital becomes in lower case

    private SearchLetters() {}

    /** Without case and without variants: the sharp s is two, the final sigma a sigma, and each Turkish i an i. */
    public static String folded(String text) {
        return lowerCase(text)
                .replace(DOTTED_I, "i")
                .replace('ı', 'i')
                .replace("ß", "ss")
                .replace('ς', 'σ');
    }

    /** In lower case, without variants of the same letter. */
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

    /** Whether a letter is of a script in which a word may begin at any letter. */
    public static boolean isUnspaced(int point) {
        return point > 0x7F && UNSPACED.contains(UnicodeScript.of(point));
    }
}
