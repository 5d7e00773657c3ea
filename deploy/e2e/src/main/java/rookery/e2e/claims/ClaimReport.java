// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import rookery.e2e.claims.Claim.KeyAnswer;
import rookery.e2e.claims.Claim.NoAnswer;

/** The result of claims during kills. */
public final class ClaimReport {
    private final List<KeyStock> stocks;
    private final List<Claim> claims;
    private final List<String> troubles;
    private final Duration length;
    private final Rate undisturbed;

    /** A number of claims with a response, and the time they took. */
    record Rate(int claims, Duration time) {
        double perSecond() {
            return claims * 1e9 / Math.max(1, time.toNanos());
        }
    }

    /**
     * @param troubles failures that kills do not excuse
     * @param undisturbed claims after the restart of the last killed instance
     */
    ClaimReport(List<KeyStock> stocks, List<Claim> claims, List<String> troubles, Duration length, Rate undisturbed) {
        this.stocks = stocks;
        this.claims = claims;
        this.troubles = troubles;
        this.length = length;
        this.undisturbed = undisturbed;
    }

    /** All faults as text; empty when the promises are kept. */
    public List<String> faults() {
        var faults = new ArrayList<>(troubles);
        ClaimChecker.violations(stocks, claims).forEach(violation -> faults.add(violation.toString()));
        return faults;
    }

    /** The number of one-time keys in responses. */
    public int given() {
        return uploaded() - usedUp();
    }

    public int uploaded() {
        return stocks.stream().mapToInt(stock -> stock.oneTime().size()).sum();
    }

    /** The number of keys in no response; claims without a response have used them up. */
    public int usedUp() {
        return ClaimChecker.usedUp(stocks, claims);
    }

    /** The number of claims without a response. */
    public int unanswered() {
        return (int) claims.stream()
                .filter(claim -> claim.outcome() instanceof NoAnswer)
                .count();
    }

    /** The figures in one line. */
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
