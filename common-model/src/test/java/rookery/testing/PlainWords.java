// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds vague sentences in Javadoc and Markdown: sentences of at least six words, a fifth or more of which are pronouns or
 * private words.
 */
final class PlainWords {
    private static final int WORDS_MIN = 6;
    private static final double VAGUE_SHARE = 0.2;

    private static final Set<String> VAGUE =
            Set.of(("told tell tells held holds hold stand stands stood whoever whatever nobody"
                            + " somebody anybody becomes became said says say what who whom whose it its that those these this there they them"
                            + " their he she which heard news none one ones some else meant")
                    .split(" ", -1));

    private static final Pattern JAVADOC = pattern("/\\*\\*(.*?)\\*/");
    private static final Pattern MARGIN = pattern("\\n\\s*\\*");
    private static final Pattern CODE_BLOCK = pattern("```.*?```");
    private static final Pattern INDENTED_CODE = pattern("(?m)^    [^\\n]*$");
    private static final Pattern CODE = pattern("`[^`]*`");
    private static final Pattern MARKUP = pattern("[|#*]");
    private static final Pattern INLINE_TAG = pattern("\\{@\\w+ ([^}]*)\\}");
    private static final Pattern HTML = pattern("<[^>]+>");
    private static final Pattern BLOCK_TAG = pattern("@(param|return|throws)\\s+\\S+");
    private static final Pattern SPACE = pattern("\\s+");
    private static final Pattern END = pattern("(?<=[.;:!?])\\s+");
    private static final Pattern WORD = pattern("[A-Za-z']+");

    private PlainWords() {}

    private static Pattern pattern(String regex) {
        return Pattern.compile(regex, Pattern.DOTALL | Pattern.UNICODE_CHARACTER_CLASS);
    }

    /** A sentence of enough words, behind the name of its file. */
    record Sentence(String text, boolean vague) {}

    /** The vague sentences, if they are more than a share of all sentences; a single one never is. */
    static List<String> excess(List<Sentence> all, int percentMax) {
        var vague = all.stream().filter(Sentence::vague).map(Sentence::text).toList();
        return vague.size() > 1 && vague.size() * 100 > all.size() * percentMax ? vague : List.of();
    }

    static List<Sentence> ofJava(Path file, String source) {
        var sentences = new ArrayList<Sentence>();
        JAVADOC.matcher(source)
                .results()
                .map(comment -> comment.group(1))
                .filter(comment -> !comment.contains("Licensed"))
                .forEach(comment -> add(MARGIN.matcher(comment).replaceAll(" "), file, sentences));
        return sentences;
    }

    static List<Sentence> ofMarkdown(Path file, String page) {
        var sentences = new ArrayList<Sentence>();
        var prose =
                INDENTED_CODE.matcher(CODE_BLOCK.matcher(page).replaceAll("")).replaceAll("");
        add(MARKUP.matcher(CODE.matcher(prose).replaceAll("X")).replaceAll(" . "), file, sentences);
        return sentences;
    }

    private static void add(String block, Path file, List<Sentence> sentences) {
        var text = INLINE_TAG.matcher(block).replaceAll("$1");
        text = HTML.matcher(text).replaceAll(" ");
        text = BLOCK_TAG.matcher(text).replaceAll(". ");
        for (var sentence : END.split(SPACE.matcher(text).replaceAll(" "), -1)) {
            var words = WORD.matcher(sentence)
                    .results()
                    .map(word -> word.group().toLowerCase(Locale.ROOT))
                    .toList();
            if (words.size() >= WORDS_MIN) {
                long vague = words.stream().filter(VAGUE::contains).count();
                sentences.add(
                        new Sentence(file + ": " + sentence.strip(), (double) vague / words.size() >= VAGUE_SHARE));
            }
        }
    }
}
