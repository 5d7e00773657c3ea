// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;
import java.net.ConnectException;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Prints one line for each family of endpoints: its result, and on failure the remedy. A family whose prerequisite failed is
 * not checked.
 */
final class Checklist {
    private static final String LINE = "%-11s  %-14s  %s";

    enum Result {
        WORKS("works"),
        /** The operator has switched the feature off. */
        OFF("off"),
        FAILS("FAILS"),
        NOT_CHECKED("not checked");

        private final String word;

        Result(String word) {
            this.word = word;
        }
    }

    /** A check; the returned text is printed behind the result. */
    @FunctionalInterface
    interface Check {
        String run() throws IOException;
    }

    /** A check is skipped for a reason outside of the server. */
    static final class LeftOutException extends IOException {
        private final Result result;

        private LeftOutException(Result result, String why) {
            super(why);
            this.result = result;
        }

        static LeftOutException off(String why) {
            return new LeftOutException(Result.OFF, why);
        }

        static LeftOutException notChecked(String why) {
            return new LeftOutException(Result.NOT_CHECKED, why);
        }
    }

    private final String url;
    private final Consumer<String> out;
    private final Map<Family, Result> results = new EnumMap<>(Family.class);

    Checklist(String url, Consumer<String> out) {
        this.url = url;
        this.out = out;
    }

    void check(Family family, Check check) {
        var missing = family.needed().filter(each -> !works(each));
        if (missing.isPresent()) {
            note(family, Result.NOT_CHECKED, "needs " + missing.get().title());
            return;
        }
        try {
            note(family, Result.WORKS, check.run());
        } catch (LeftOutException e) {
            note(family, e.result, String.valueOf(e.getMessage()));
        } catch (ConnectException e) {
            note(
                    family,
                    Result.FAILS,
                    "nothing listens at " + url + ": is the server started, and is the address right?");
        } catch (IOException | RuntimeException e) {
            note(family, Result.FAILS, e.getMessage() == null ? e.toString() : e.getMessage());
            out.accept(LINE.formatted("", "", "look at: " + family.remedy()));
        }
    }

    boolean works(Family family) {
        var result = results.get(family);
        return result == Result.WORKS || result == Result.OFF;
    }

    private void note(Family family, Result result, String text) {
        results.put(family, result);
        out.accept(LINE.formatted(result.word, family.title(), text));
    }

    boolean allWorks() {
        return count(Result.FAILS) + count(Result.NOT_CHECKED) == 0;
    }

    String summary() {
        if (allWorks()) {
            return "all works";
        }
        long failed = count(Result.FAILS);
        long unchecked = count(Result.NOT_CHECKED);
        return (failed == 0
                        ? "what was checked works"
                        : "%d of these %s not work".formatted(failed, failed == 1 ? "does" : "do"))
                + (unchecked == 0 ? "" : "; %d %s not checked".formatted(unchecked, unchecked == 1 ? "was" : "were"));
    }

    private long count(Result result) {
        return results.values().stream().filter(each -> each == result).count();
    }
}
