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
 * All {@code rookery.*} keys of all services, so that one file may configure several of them and a misspelt key is still noticed.
 * They stand in {@code rookery-keys.txt}, and a test in every module says which of its keys are missing there.
 */
public final class KnownKeys {
    private static final String FILE = "/rookery-keys.txt";
    /** How many letters of a key may be wrong so that another one is proposed. */
    private static final int LETTERS_MIN = 3;

    private static final int SHARE = 3;

    private final List<Key> keys;

    private KnownKeys(List<Key> keys) {
        this.keys = keys;
    }

    /** Those of this version. */
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

    /** Whether some service has a key of that name, however it is written. */
    public boolean knows(ConfigurationPropertyName name) {
        return key(name) != null;
    }

    /** The line of the file for that name; null for one that is not known. */
    private @Nullable Key key(ConfigurationPropertyName name) {
        String dotted = uniform(name, ".");
        String letters = uniform(name, "");
        return keys.stream()
                .filter(key -> key.dotted.matcher(dotted).matches()
                        || key.letters.matcher(letters).matches())
                .findFirst()
                .orElse(null);
    }

    /** The name as the yml files write it, where that can be said. */
    String written(ConfigurationPropertyName name) {
        var key = key(name);
        return key == null || key.text.contains("*") || key.text.contains("[]") ? name.toString() : key.text;
    }

    /** The known key that is most like it, or null if none is. */
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

    /** How many letters must be put in, left out or changed. */
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
     * One line of the file: {@code []} stands for a number, {@code *} for a name that people choose.
     *
     * @param dotted matches its uniform elements with dots between them
     * @param letters the same without: the environment has no dashes, and some write underscores for them
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
            if (text.endsWith("[]")) { // such a list may also be written as one text, with commas
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
