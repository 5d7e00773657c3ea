package rookery.program;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A program that a script under deploy/ starts. Its options are the fields of an object, told to picocli by annotations; where a value
 * cannot be read, the {@code paramLabel} of the option says what it needs, if it is no number.
 */
public final class Program {
    /** Between the parts of a list. */
    public static final String COMMA = " *, *";

    /** What the JVM makes of a byte that is no letter. */
    private static final char UNREADABLE = '\ufffd';

    private Program() {}

    /** What a program does. */
    @FunctionalInterface
    public interface Action<T> {
        /** Returns whether all went well. */
        boolean run(T options) throws IOException;
    }

    /**
     * Runs a program and ends the JVM with 0 if it went well, 1 if it did not, and 2 if something is wrong with the options.
     *
     * @param script as the person at the keyboard calls it
     * @param help what {@code --help} prints
     * @param options with the values of what is not given; {@code --help} is not among them
     */
    public static <T> void run(String script, String help, T options, String[] arguments, Action<T> action)
            throws IOException {
        try {
            var line = commandLine(options);
            line.getCommandSpec()
                    .addOption(
                            OptionSpec.builder("-h", "--help").usageHelp(true).build());
            read(line, List.of(arguments));
            if (line.isUsageHelpRequested()) {
                System.out.print(help);
                System.exit(0);
            }
            System.exit(action.run(options) ? 0 : Complaint.FAILURE);
        } catch (IllegalArgumentException e) {
            System.err.println(script + ": " + e.getMessage());
            System.exit(Complaint.USAGE);
        } catch (Complaint e) {
            System.err.println(script + ": " + e.getMessage());
            System.exit(e.exitValue());
        }
    }

    /**
     * Reads the words of a command line.
     *
     * @param options with the values of what is not given
     * @return the same object, with what was given
     * @throws Complaint one line that says what is wrong and what to do
     */
    public static <T> T parse(T options, List<String> words) {
        read(commandLine(options), words);
        return options;
    }

    /** For the words of a person: no files behind an @, no short options in one word, and the last one of several holds. */
    public static CommandLine commandLine(Object options) {
        return new CommandLine(options)
                .setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setOverwrittenOptionsAllowed(true)
                .setAllowOptionsAsOptionParameters(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(int.class, value -> notNegative(Integer.parseInt(value)))
                .registerConverter(long.class, value -> notNegative(Long.parseLong(value)))
                .registerConverter(double.class, value -> notNegative(Double.parseDouble(value)))
                .registerConverter(Duration.class, Program::seconds)
                .registerConverter(Path.class, Program::path);
    }

    public static ParseResult read(CommandLine line, List<String> words) {
        try {
            return line.parseArgs(words.toArray(String[]::new));
        } catch (ParameterException e) {
            throw e.getCause() instanceof Complaint complaint ? complaint : Complaint.usage(text(e));
        }
    }

    private static String text(ParameterException e) {
        return switch (e) {
            case UnmatchedArgumentException unmatched ->
                notUnderstood(unmatched.getUnmatched().getFirst());
            case MissingParameterException missing ->
                missing(e.getCommandLine(), missing.getMissing().getFirst());
            case ParameterException refused
            when refused.getArgSpec() != null -> refused(refused.getArgSpec(), refused.getValue());
            default -> String.valueOf(e.getMessage());
        };
    }

    private static String notUnderstood(String word) {
        return word.startsWith("-")
                ? "unknown option %s; --help lists them all".formatted(word)
                : "this is not understood: %s; --help lists what is".formatted(quoted(word));
    }

    private static String missing(CommandLine line, ArgSpec missing) {
        return missing instanceof OptionSpec option
                ? option.longestName() + " needs a value; --help shows how it looks"
                : "%s needs %s; --help shows how it looks".formatted(line.getCommandName(), missing.paramLabel());
    }

    private static String refused(ArgSpec refused, String value) {
        if (!(refused instanceof OptionSpec option)) {
            return "%s is no %s; --help lists them all".formatted(quoted(value), refused.paramLabel());
        }
        if (refused.arity().max() == 0) {
            return option.longestName() + " takes no value; --help shows how it looks";
        }
        var label = option.paramLabel();
        var needed = option.type() == Path.class ? "a file or folder" : "a number";
        return "%s needs %s, not %s"
                .formatted(
                        option.longestName(),
                        label.startsWith("<") ? needed : label, // picocli's own label is <port>
                        quoted(value));
    }

    private static String quoted(String word) {
        return word.isBlank() || word.contains(" ") ? "'" + word + "'" : word;
    }

    private static Duration seconds(String value) {
        return Duration.ofMillis((long) (notNegative(Double.parseDouble(value)) * 1000));
    }

    /** A name that the locale cannot write comes with marks in the place of its letters. */
    private static Path path(String value) {
        try {
            if (value.isBlank()) {
                throw new IllegalArgumentException();
            }
            if (value.indexOf(UNREADABLE) < 0) {
                return Path.of(value);
            }
        } catch (InvalidPathException _) {
            // said below
        }
        throw Complaint.usage(
                "the name %s has letters that the locale of this shell (encoding %s) does not have: set LC_ALL=C.UTF-8, or take a name without them"
                        .formatted(value, System.getProperty("sun.jnu.encoding")));
    }

    private static <N extends Number> N notNegative(N number) {
        if (number.doubleValue() >= 0 && number.doubleValue() <= Double.MAX_VALUE) {
            return number;
        }
        throw new NumberFormatException();
    }
}
