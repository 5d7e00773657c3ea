// SPDX-License-Identifier: Apache-2.0
package rookery.directory;

import rookery.platform.search.SearchLetters;

/** Prepares texts for searches and for storage in PostgreSQL. */
public final class SearchText {
    private SearchText() {}

    /** Case-folds the text; U+0000 becomes U+FFFD. */
    public static String folded(String text) {
        return storable(SearchLetters.folded(text));
    }

    /** U+0000, which PostgreSQL cannot store, becomes U+FFFD. */
    public static String storable(String text) {
        return text.replace('\0', '\uFFFD');
    }

    /**
     * The case-folded words of the text, each after a space. Every character other than a letter, a digit or an emoji separates
     * words. In scripts without spaces each letter is a word. An emoji becomes a word with its code point, such as
     * {@code u1f986}, because PostgreSQL's trigrams consist of letters and digits.
     */
    public static String words(String text) {
        var words = new StringBuilder();
        boolean goesOn = false;
        boolean takesMarks = false;
        for (int point : folded(text).codePoints().toArray()) {
            if (isJoint(point)) {
                continue;
            }
            if (SearchLetters.isMark(point)) {
                words.append(takesMarks ? Character.toString(point) : "");
                continue;
            }
            boolean isLetter = SearchLetters.isOfWord(point);
            boolean isUnspaced = isLetter && SearchLetters.isUnspaced(point);
            if (isLetter) {
                words.append(goesOn && !isUnspaced ? "" : " ").appendCodePoint(point);
            } else if (isEmoji(point)) {
                words.append(" u").append(Integer.toHexString(point));
            }
            goesOn = isLetter && !isUnspaced;
            takesMarks = isLetter;
        }
        return words.toString();
    }

    private static boolean isEmoji(int point) {
        return Character.isExtendedPictographic(point) || Character.isEmojiPresentation(point);
    }

    /** Variation selectors and skin tones: modifiers of an emoji that searches ignore. */
    private static boolean isJoint(int point) {
        return (point >= 0xFE00 && point <= 0xFE0F) || Character.isEmojiModifier(point);
    }

    /** A LIKE pattern that matches exactly this text: wildcards are escaped. */
    public static String literal(String text) {
        return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }
}
