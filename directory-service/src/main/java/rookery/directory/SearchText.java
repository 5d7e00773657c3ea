package rookery.directory;

import rookery.platform.search.SearchLetters;

/** Texts as searches compare them: without case, and without what a database cannot store. */
public final class SearchText {
    private SearchText() {}

    /** Without case. U+0000 becomes U+FFFD, which nobody searches for. */
    public static String folded(String text) {
        return storable(SearchLetters.folded(text));
    }

    /** U+0000 becomes U+FFFD. */
    public static String storable(String text) {
        return text.replace('\0', '\uFFFD');
    }

    /**
     * Its words without case, each after a space; what is no letter, no digit and no emoji separates them. In scripts without spaces
     * each letter is a word. An emoji is the word of its code point, such as {@code u1f986}, in which the database finds letters.
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

    /** Parts of an emoji that make no other one of it: how it is drawn, and the colour of a skin. */
    private static boolean isJoint(int point) {
        return (point >= 0xFE00 && point <= 0xFE0F) || Character.isEmojiModifier(point);
    }

    /** A pattern for LIKE that finds this very text: nothing in it is a wildcard. */
    public static String literal(String text) {
        return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }
}
