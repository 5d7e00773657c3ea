// SPDX-License-Identifier: Apache-2.0
package rookery.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A program that a script under deploy/ starts. Its options are annotated fields of an object that picocli fills. For a value
 * that cannot be parsed, the error message shows the {@code paramLabel} of the option, or asks for a number.
 */
public final class Program {
    /** The separator of list elements. */
    public static final String COMMA = " *, *";

    /** The JVM's replacement for a byte that the locale cannot decode. */
    private static final char UNREADABLE = '\ufffd';

    private Program() {}

    /** The work of a program. */
    @FunctionalInterface
    public interface Action<T> {
        /** Returns whether the work succeeded. */
        boolean run(T options) throws IOException;
    }

    /**
     * Runs a program and ends the JVM with 0 on success, 1 on failure, and 2 on wrong options.
     *
     * @param script the command as the user typed it, for messages
     * @param help the text that {@code --help} prints
     * @param options an object with the default values; {@code --help} is added here
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

    /** Reads a text beside a class, such as the text of {@code --help}. */
    public static String resource(Class<?> type, String name) {
        try (var text = type.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(text, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Parses a command line.
     *
     * @param options an object with the default values
     * @return the same object with the parsed values
     * @throws Complaint with the error and the remedy in one line
     */
    public static <T> T parse(T options, List<String> words) {
        read(commandLine(options), words);
        return options;
    }

    /**
     * A parser for command lines that people type: no argument files behind an @, no combined short options; of a repeated option
     * the last value wins.
     */
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
                : "unknown argument %s; --help lists the arguments".formatted(quoted(word));
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
                        label.startsWith("<") ? needed : label, // picocli's default label looks like <port>
                        quoted(value));
    }

    private static String quoted(String word) {
        return word.isBlank() || word.contains(" ") ? "'" + word + "'" : word;
    }

    private static Duration seconds(String value) {
        return Duration.ofMillis((long) (notNegative(Double.parseDouble(value)) * 1000));
    }

    /** A file name; letters outside of the locale arrive as replacement characters and are refused. */
    private static Path path(String value) {
        try {
            if (value.isBlank()) {
                throw new IllegalArgumentException();
            }
            if (value.indexOf(UNREADABLE) < 0) {
                return Path.of(value);
            }
        } catch (InvalidPathException _) {
            // refused below
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
