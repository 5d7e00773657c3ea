package rookery.e2e.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The options that somebody gave to one of the long forms. */
public final class CommandLine {
    private final Map<String, String> given;

    private CommandLine(Map<String, String> given) {
        this.given = Map.copyOf(given);
    }

    /**
     * Reads the words.
     *
     * @param flags options without a value
     * @param values options with one
     * @throws IllegalArgumentException for an option that there is not, and one whose value is missing
     */
    public static CommandLine parse(List<String> words, Set<String> flags, Set<String> values) {
        var given = new HashMap<String, String>();
        var rest = words.iterator();
        while (rest.hasNext()) {
            var word = rest.next();
            if (flags.contains(word)) {
                given.put(word, "");
            } else if (!values.contains(word)) {
                throw new IllegalArgumentException("unknown option %s; --help lists them all".formatted(word));
            } else if (rest.hasNext()) {
                given.put(word, rest.next());
            } else {
                throw new IllegalArgumentException(word + " needs a value; --help shows how it looks");
            }
        }
        return new CommandLine(given);
    }

    public boolean has(String option) {
        return given.containsKey(option);
    }

    public String text(String option, String otherwise) {
        return given.getOrDefault(option, otherwise);
    }

    /** IllegalArgumentException for a value that is no number. */
    public long number(String option, long otherwise) {
        var value = given.get(option);
        try {
            return value == null ? otherwise : Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s needs a number, not %s".formatted(option, value), e);
        }
    }
}
