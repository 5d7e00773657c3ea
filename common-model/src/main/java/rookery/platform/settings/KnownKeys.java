// SPDX-License-Identifier: Apache-2.0
package rookery.platform.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * All {@code rookery.*} keys of all services, so that one file can configure several services and a misspelt key is still
 * detected. The keys are in {@code rookery-keys.txt}, and a test in every module reports missing keys.
 */
public final class KnownKeys {
    private static final String FILE = "/rookery-keys.txt";
    /** The largest edit distance of a suggestion: at least 3, or a third of the key. */
    private static final int LETTERS_MIN = 3;

    private static final int SHARE = 3;

    private final List<Key> keys;

    private KnownKeys(List<Key> keys) {
        this.keys = keys;
    }

    public static KnownKeys load() {
        try (var in = Objects.requireNonNull(KnownKeys.class.getResourceAsStream(FILE))) {
            return of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static KnownKeys of(String text) {
        return new KnownKeys(text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Key::of)
                .toList());
    }

    /** Whether a service has a key with that name, in any spelling. */
    public boolean knows(ConfigurationPropertyName name) {
        return key(name) != null;
    }

    /** The file's line for that name, or null. */
    private @Nullable Key key(ConfigurationPropertyName name) {
        String dotted = uniform(name, ".");
        String letters = uniform(name, "");
        return keys.stream()
                .filter(key -> key.dotted.matcher(dotted).matches()
                        || key.letters.matcher(letters).matches())
                .findFirst()
                .orElse(null);
    }

    /** The name in the spelling of the yml files, if it has only one. */
    String written(ConfigurationPropertyName name) {
        var key = key(name);
        return key == null || key.text.contains("*") || key.text.contains("[]") ? name.toString() : key.text;
    }

    /** The most similar known key, or null if none is similar. */
    @Nullable
    String nearest(ConfigurationPropertyName name) {
        String letters = uniform(name, "");
        var best = keys.stream()
                .min(Comparator.comparingInt(key -> distance(letters, key.plainLetters())))
                .orElseThrow();
        int most = Math.max(LETTERS_MIN, best.plainLetters().length() / SHARE);
        return distance(letters, best.plainLetters()) <= most ? best.text : null;
    }

    private static String uniform(ConfigurationPropertyName name, String separator) {
        var text = new StringBuilder();
        for (int i = 0; i < name.getNumberOfElements(); i++) {
            text.append(i == 0 ? "" : separator).append(name.getElement(i, Form.UNIFORM));
        }
        return text.toString();
    }

    private static int distance(String a, String b) {
        int[] before = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] now = new int[b.length() + 1];
            now[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(changed, Math.min(before[j], now[j - 1]) + 1);
            }
            before = now;
        }
        return before[b.length()];
    }

    /**
     * One line of the file: {@code []} stands for an index, {@code *} for a name of the operator's choice.
     *
     * @param dotted pattern of the uniform elements with dots
     * @param letters pattern without dots, because the environment has no dashes, and some write underscores for them
     */
    private record Key(String text, Pattern dotted, Pattern letters) {
        static Key of(String text) {
            return new Key(text, pattern(text, "\\."), pattern(text, ""));
        }

        private static Pattern pattern(String text, String dot) {
            var pattern = new StringBuilder();
            for (var element : text.replace("-", "").split("\\.", -1)) {
                pattern.append(pattern.isEmpty() ? "" : dot);
                pattern.append(element.replace("[]", dot + "[0-9]+").replace("*", ".+"));
            }
            if (text.endsWith("[]")) { // such a list may also be a single text with commas
                int number = pattern.length() - (dot + "[0-9]+").length();
                pattern.insert(number, '(').append(")?");
            }
            return Pattern.compile(pattern.toString());
        }

        String plainLetters() {
            return text.replaceAll("[^a-z0-9]", "");
        }
    }
}
