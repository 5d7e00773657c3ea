package rookery.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The option {@code --only}, which names some of the things that can be measured by themselves.
 *
 * @param kinds those that were named, in the order of their declaration; all without the option
 * @param others the remaining words
 */
record OnlyOption<E extends Enum<E>>(Set<E> kinds, List<String> others) {
    private static final String ONLY = "--only";

    static <E extends Enum<E>> OnlyOption<E> parse(List<String> words, Class<E> type) {
        var others = new ArrayList<>(words);
        int only = others.indexOf(ONLY);
        if (only < 0) {
            return new OnlyOption<>(EnumSet.allOf(type), words);
        }
        if (only + 1 == others.size()) {
            throw new IllegalArgumentException(ONLY + " needs a value; --help shows how it looks");
        }
        others.remove(only);
        return new OnlyOption<>(kinds(others.remove(only), type), others);
    }

    /** As people write it. */
    static String word(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static <E extends Enum<E>> Set<E> kinds(String list, Class<E> type) {
        var all = type.getEnumConstants();
        var kinds = EnumSet.noneOf(type);
        for (String word : list.split(",", -1)) {
            kinds.add(Arrays.stream(all)
                    .filter(kind -> word(kind).equals(word.strip()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("%s needs some of %s, not %s"
                            .formatted(
                                    ONLY,
                                    Arrays.stream(all).map(OnlyOption::word).collect(Collectors.joining(",")),
                                    word))));
        }
        return kinds;
    }
}
