package rookery.standalone;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the operator asked for.
 *
 * @param command such as {@code promote}, or {@code help}
 * @param name whom or what it is about, or null
 * @param tenant a tenant's server name, or null for the first one
 */
record OperatorOptions(
        String command, @Nullable String name, @Nullable String tenant, boolean grantsAdmin, Path data) {
    private static final Set<String> ABOUT_SOMEBODY = Set.of("create-admin", "promote", "demote");
    private static final String TOKEN = "registration-token";
    private static final String REBUILD = "rebuild";
    private static final String DIRECTORY = "directory";
    private static final String RAISE = "raise-epoch";
    private static final String TRUST = "trust-timeline";
    private static final Set<String> LOGS = Set.of("room", "user");

    static OperatorOptions parse(List<String> arguments, Path data) {
        var words = new ArrayList<String>();
        String tenant = null;
        boolean grantsAdmin = false;
        var folder = data;
        var rest = arguments.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "--help", "-h" -> words.addFirst("help");
                case "--grants-admin" -> grantsAdmin = true;
                case "--tenant" -> tenant = value(word, rest.hasNext() ? rest.next() : null);
                case "--data" -> folder = Path.of(value(word, rest.hasNext() ? rest.next() : null));
                default -> words.add(word);
            }
        }
        String command = words.isEmpty() ? "help" : words.getFirst();
        return new OperatorOptions(command, name(command, words), tenant, grantsAdmin, folder);
    }

    private static @Nullable String name(String command, List<String> words) {
        if (command.equals("help") || (command.equals(TOKEN) && words.size() == 1)) {
            return null;
        }
        if (words.size() == 1 && (command.equals(RAISE) || command.equals(TRUST))) {
            return null;
        }
        if (command.equals(RAISE) && words.size() == 2 && LOGS.contains(words.getLast())) {
            return words.getLast();
        }
        if (command.equals(REBUILD) && words.size() == 2 && words.getLast().equals(DIRECTORY)) {
            return DIRECTORY;
        }
        if (ABOUT_SOMEBODY.contains(command) && words.size() == 2) {
            return words.getLast();
        }
        throw Complaint.usage(
                ABOUT_SOMEBODY.contains(command)
                        ? command + " needs one name, such as: deploy/admin %s ada".formatted(command)
                        : "this is not understood: %s; --help lists what is".formatted(String.join(" ", words)));
    }

    private static String value(String option, @Nullable String value) {
        if (value == null) {
            throw Complaint.usage(option + " needs a value; --help shows how it looks");
        }
        return value;
    }
}
