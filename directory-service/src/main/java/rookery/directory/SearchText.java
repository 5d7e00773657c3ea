package rookery.directory;

import java.util.Locale;

/** Texts as searches compare them: without case, and without what a database cannot store. */
public final class SearchText {
    private SearchText() {}

    /** Without case. U+0000 becomes U+FFFD, which nobody searches for. */
    public static String folded(String text) {
        // to upper case and back: letters that share only one of the two are one letter, such as the final sigma
        return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT).replace('\0', '\uFFFD');
    }

    /** Its words without case, each after a space; what is no letter and no digit separates them. */
    public static String words(String text) {
        return folded(text).replaceAll("[^\\p{L}\\p{M}\\p{N}]+", " ").strip().transform(SearchText::afterSpace);
    }

    /** A pattern for LIKE that finds this very text: nothing in it is a wildcard. */
    public static String literal(String text) {
        return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    private static String afterSpace(String words) {
        return words.isEmpty() ? "" : " " + words;
    }
}
