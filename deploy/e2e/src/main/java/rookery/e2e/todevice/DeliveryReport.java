package rookery.e2e.todevice;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import rookery.e2e.todevice.DeliveryViolation.ToldAnew;

/** What came of messages to devices while processes were killed. */
public final class DeliveryReport {
    private static final int ANSWER_MAX = 100;

    private final DeliveryHistory history;
    private final List<String> troubles;
    private final Map<String, Integer> failedAttempts;
    private final Duration length;
    private final List<DeliveryViolation> violations;

    /**
     * @param troubles what no fault excuses
     * @param failedAttempts how many, by the reason
     */
    DeliveryReport(
            DeliveryHistory history, List<String> troubles, Map<String, Integer> failedAttempts, Duration length) {
        this.history = history;
        this.troubles = troubles;
        this.failedAttempts = failedAttempts;
        this.length = length;
        this.violations = DeliveryChecker.violations(history);
    }

    /**
     * Everything that is not as promised, for people; nothing when all is well.
     *
     * @param strict whether a device that begins without a token may not even at once be told what it acknowledged: the server
     *     deletes such messages a moment later
     */
    public List<String> faults(boolean strict) {
        var faults = new ArrayList<>(troubles);
        violations.stream()
                .filter(violation -> strict || !(violation instanceof ToldAnew))
                .forEach(violation -> faults.add(violation.toString()));
        return faults;
    }

    /** Messages that devices were told in answers that they kept, with repetitions. */
    public int deliveries() {
        return answers().stream()
                .filter(SyncAnswer::isKept)
                .mapToInt(answer -> answer.messages().size())
                .sum();
    }

    /** Requests that were accepted. */
    public int accepted() {
        return (int) history.sent().stream().filter(SentMessage::isAccepted).count();
    }

    private List<SyncAnswer> answers() {
        return history.answers().values().stream().flatMap(List::stream).toList();
    }

    /** How many attempts were repeated, by the reason. */
    public Map<String, Integer> failedAttempts() {
        return Map.copyOf(failedAttempts);
    }

    /** The figures, in one line. */
    public String summary() {
        long full = answers().stream()
                .filter(answer -> answer.messages().size() == ANSWER_MAX)
                .count();
        long lost = answers().stream().filter(answer -> !answer.isKept()).count();
        long anew = violations.stream()
                .filter(violation -> violation instanceof ToldAnew)
                .count();
        return ("%d messages accepted in %.1f s (%.1f a second), written %d times, told %d times in %d answers (%d of them full,"
                        + " %d lost), %d told again before they were acknowledged, %d acknowledged ones told to who began anew;"
                        + " %d attempts failed and were repeated")
                .formatted(
                        accepted(),
                        length.toMillis() / 1000.0,
                        accepted() * 1000.0 / Math.max(1, length.toMillis()),
                        history.stored().size(),
                        deliveries(),
                        answers().size(),
                        full,
                        lost,
                        DeliveryChecker.repeated(history) - anew,
                        anew,
                        failedAttempts.values().stream()
                                .mapToInt(number -> number)
                                .sum());
    }
}
