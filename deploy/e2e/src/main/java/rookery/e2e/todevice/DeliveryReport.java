// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import rookery.e2e.todevice.DeliveryViolation.ToldAnew;

/** The result of to-device messages during kills. */
public final class DeliveryReport {
    private static final int ANSWER_MAX = 100;

    private final DeliveryHistory history;
    private final List<String> troubles;
    private final Map<String, Integer> failedAttempts;
    private final Duration length;
    private final List<DeliveryViolation> violations;

    /**
     * @param troubles failures that kills do not excuse
     * @param failedAttempts their number, by reason
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
     * All faults as text; empty when the promises are kept.
     *
     * @param strict whether an initial sync directly after the acknowledgement counts: the server deletes acknowledged messages a
     *      moment later
     */
    public List<String> faults(boolean strict) {
        var faults = new ArrayList<>(troubles);
        violations.stream()
                .filter(violation -> strict || !(violation instanceof ToldAnew))
                .forEach(violation -> faults.add(violation.toString()));
        return faults;
    }

    /** The number of deliveries in kept responses, with repetitions. */
    public int deliveries() {
        return answers().stream()
                .filter(SyncAnswer::isKept)
                .mapToInt(answer -> answer.messages().size())
                .sum();
    }

    /** The number of accepted requests. */
    public int accepted() {
        return (int) history.sent().stream().filter(SentMessage::isAccepted).count();
    }

    private List<SyncAnswer> answers() {
        return history.answers().values().stream().flatMap(List::stream).toList();
    }

    /** The number of failed attempts, by reason. */
    public Map<String, Integer> failedAttempts() {
        return Map.copyOf(failedAttempts);
    }

    /** The figures in one line. */
    public String summary() {
        long full = answers().stream()
                .filter(answer -> answer.messages().size() == ANSWER_MAX)
                .count();
        long lost = answers().stream().filter(answer -> !answer.isKept()).count();
        long anew = violations.stream()
                .filter(violation -> violation instanceof ToldAnew)
                .count();
        return ("%d messages accepted in %.1f s (%.1f a second), written %d times, delivered %d times in %d responses (%d of them full,"
                        + " %d lost), %d delivered again before the acknowledgement, %d acknowledged messages in initial syncs;"
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
