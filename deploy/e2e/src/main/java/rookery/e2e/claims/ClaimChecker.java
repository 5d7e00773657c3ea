// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import rookery.e2e.claims.Claim.KeyAnswer;
import rookery.e2e.claims.Claim.NoAnswer;
import rookery.e2e.claims.Claim.NoKey;
import rookery.e2e.claims.ClaimViolation.FallbackTooEarly;
import rookery.e2e.claims.ClaimViolation.GivenTwice;
import rookery.e2e.claims.ClaimViolation.NeverGiven;
import rookery.e2e.claims.ClaimViolation.NoFallback;
import rookery.e2e.claims.ClaimViolation.NothingGiven;
import rookery.e2e.claims.ClaimViolation.Unknown;

/**
 * Checks claims that continued until each device's keys were used up: every one-time key goes to one claim, then the fallback key
 * to all further claims. A claim without a response may have used up one key. Pure functions.
 */
final class ClaimChecker {
    private final KeyStock stock;
    private final List<Claim> claims;
    private final List<ClaimViolation> violations = new ArrayList<>();

    /** @param claims of keys of the stock's device */
    private ClaimChecker(KeyStock stock, List<Claim> claims) {
        this.stock = stock;
        this.claims = claims;
    }

    /** All violations; empty when the promises are kept. Claims of other devices' keys are ignored. */
    static List<ClaimViolation> violations(Collection<KeyStock> stocks, Collection<Claim> claims) {
        var byDevice = claims.stream().collect(Collectors.groupingBy(Claim::device));
        var violations = new ArrayList<ClaimViolation>();
        for (var stock : stocks) {
            var checker = new ClaimChecker(stock, byDevice.getOrDefault(stock.device(), List.of()));
            checker.checkAnswers();
            checker.checkOnce();
            checker.checkFallback();
            checker.checkUsedUp();
            violations.addAll(checker.violations);
        }
        return violations;
    }

    /** The number of one-time keys in no response: used up by claims without a response. */
    static int usedUp(Collection<KeyStock> stocks, Collection<Claim> claims) {
        var byDevice = claims.stream().collect(Collectors.groupingBy(Claim::device));
        return stocks.stream()
                .mapToInt(stock -> neverGiven(stock, byDevice.getOrDefault(stock.device(), List.of())))
                .sum();
    }

    private void checkAnswers() {
        var uploaded = stock.oneTimeKeys();
        uploaded.add(stock.fallback());
        for (var claim : claims) {
            switch (claim.outcome()) {
                case KeyAnswer(ClaimableKey key) -> {
                    if (!uploaded.contains(key)) {
                        violations.add(new Unknown(stock.device(), key, claim.client()));
                    }
                }
                case NoKey() -> violations.add(new NothingGiven(stock.device(), claim.client()));
                case NoAnswer() -> {} // may have used up a key; counted by checkUsedUp
            }
        }
    }

    private void checkOnce() {
        var clients = new LinkedHashMap<String, List<String>>();
        for (var claim : claims) {
            if (claim.outcome() instanceof KeyAnswer(ClaimableKey key) && !key.equals(stock.fallback())) {
                clients.computeIfAbsent(key.name(), _ -> new ArrayList<>()).add(claim.client());
            }
        }
        clients.forEach((key, by) -> {
            if (by.size() > 1) {
                violations.add(new GivenTwice(stock.device(), key, by));
            }
        });
    }

    /** Before a response with the fallback key, claims for all one-time keys must have begun. */
    private void checkFallback() {
        var takingBegun = claims.stream()
                .filter(claim -> mayHaveTaken(claim))
                .mapToLong(Claim::begunNanos)
                .sorted()
                .toArray();
        int uploaded = stock.oneTime().size();
        boolean isGiven = false;
        for (var claim : claims) {
            if (isFallback(claim)) {
                isGiven = true;
                int claimed = countBefore(takingBegun, claim.endedNanos());
                if (claimed < uploaded) {
                    violations.add(new FallbackTooEarly(stock.device(), claim.client(), claimed, uploaded));
                }
            }
        }
        if (!isGiven) {
            violations.add(new NoFallback(stock.device()));
        }
    }

    private static int countBefore(long[] sortedNanos, long nanos) {
        int count = 0;
        while (count < sortedNanos.length && sortedNanos[count] - nanos < 0) {
            count++;
        }
        return count;
    }

    private boolean mayHaveTaken(Claim claim) {
        return switch (claim.outcome()) {
            case KeyAnswer(ClaimableKey key) -> !key.equals(stock.fallback());
            case NoKey() -> false;
            case NoAnswer() -> true;
        };
    }

    private boolean isFallback(Claim claim) {
        return claim.outcome() instanceof KeyAnswer(ClaimableKey key) && key.equals(stock.fallback());
    }

    private void checkUsedUp() {
        int keys = neverGiven(stock, claims);
        int unanswered = (int) claims.stream()
                .filter(claim -> claim.outcome() instanceof NoAnswer)
                .count();
        if (keys > unanswered) {
            violations.add(new NeverGiven(stock.device(), keys, unanswered));
        }
    }

    private static int neverGiven(KeyStock stock, List<Claim> claims) {
        var answered = new HashSet<ClaimableKey>();
        for (var claim : claims) {
            if (claim.outcome() instanceof KeyAnswer(ClaimableKey key)) {
                answered.add(key);
            }
        }
        return (int)
                stock.oneTime().stream().filter(key -> !answered.contains(key)).count();
    }
}
