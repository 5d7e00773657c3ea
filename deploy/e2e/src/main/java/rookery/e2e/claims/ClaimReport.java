package rookery.e2e.claims;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import rookery.e2e.claims.Claim.KeyAnswer;
import rookery.e2e.claims.Claim.NoAnswer;

/** What came of claims while instances were killed. */
public final class ClaimReport {
    private final List<KeyStock> stocks;
    private final List<Claim> claims;
    private final List<String> troubles;
    private final Duration length;
    private final Rate undisturbed;

    /** How many claims were answered in some time. */
    record Rate(int claims, Duration time) {
        double perSecond() {
            return claims * 1e9 / Math.max(1, time.toNanos());
        }
    }

    /**
     * @param troubles what no fault excuses
     * @param undisturbed claims after the last kill, when all instances ran again
     */
    ClaimReport(List<KeyStock> stocks, List<Claim> claims, List<String> troubles, Duration length, Rate undisturbed) {
        this.stocks = stocks;
        this.claims = claims;
        this.troubles = troubles;
        this.length = length;
        this.undisturbed = undisturbed;
    }

    /** Everything that is not as promised, for people; nothing when all is well. */
    public List<String> faults() {
        var faults = new ArrayList<>(troubles);
        ClaimChecker.violations(stocks, claims).forEach(violation -> faults.add(violation.toString()));
        return faults;
    }

    /** One-time keys that were answered. */
    public int given() {
        return uploaded() - usedUp();
    }

    public int uploaded() {
        return stocks.stream().mapToInt(stock -> stock.oneTime().size()).sum();
    }

    /** Keys that nobody was given: answers that were lost have used them up. */
    public int usedUp() {
        return ClaimChecker.usedUp(stocks, claims);
    }

    /** Claims that failed, or whose answer was lost. */
    public int unanswered() {
        return (int) claims.stream()
                .filter(claim -> claim.outcome() instanceof NoAnswer)
                .count();
    }

    /** The figures, in one line. */
    public String summary() {
        long answered = claims.stream()
                .filter(claim -> claim.outcome() instanceof KeyAnswer)
                .count();
        return ("%d of %d keys given out, %d used up by lost answers; %d claims answered, %d unanswered, in %.1f s"
                        + " (the last %d, undisturbed, %.0f a second)")
                .formatted(
                        given(),
                        uploaded(),
                        usedUp(),
                        answered,
                        unanswered(),
                        length.toMillis() / 1000.0,
                        undisturbed.claims(),
                        undisturbed.perSecond());
    }
}
