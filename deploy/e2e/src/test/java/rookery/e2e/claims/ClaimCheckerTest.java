// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.e2e.claims.Claim.KeyAnswer;
import rookery.e2e.claims.Claim.NoAnswer;
import rookery.e2e.claims.Claim.NoKey;
import rookery.e2e.claims.Claim.Outcome;
import rookery.e2e.claims.ClaimViolation.FallbackTooEarly;
import rookery.e2e.claims.ClaimViolation.GivenTwice;
import rookery.e2e.claims.ClaimViolation.NeverGiven;
import rookery.e2e.claims.ClaimViolation.NoFallback;
import rookery.e2e.claims.ClaimViolation.NothingGiven;
import rookery.e2e.claims.ClaimViolation.Unknown;

/** Every fault that the checker exists for, planted into claims that are otherwise fine. */
class ClaimCheckerTest {
    private static final String DEVICE = "@ada:x ADA";
    private static final ClaimableKey FIRST = new ClaimableKey("c:1", "{\"key\":\"one\"}");
    private static final ClaimableKey SECOND = new ClaimableKey("c:2", "{\"key\":\"two\"}");
    private static final ClaimableKey FALLBACK = new ClaimableKey("c:F", "{\"key\":\"last\"}");

    private final List<Claim> claims = new ArrayList<>();
    private long nanos;

    @Test
    void eachKeyOnceAndThenTheFallbackKeyIsAsPromised() {
        claim("ann", new KeyAnswer(FIRST));
        claim("bob", new KeyAnswer(SECOND));
        claim("ann", new KeyAnswer(FALLBACK));
        claim("bob", new KeyAnswer(FALLBACK));
        assertThat(violations()).isEmpty();
        assertThat(ClaimChecker.usedUp(List.of(stock()), claims)).isZero();
    }

    @Test
    void keyThatTwoAreGivenIsFound() {
        claim("ann", new KeyAnswer(FIRST));
        claim("bob", new KeyAnswer(SECOND));
        claim("eve", new KeyAnswer(FIRST));
        claim("ann", new KeyAnswer(FALLBACK));
        assertThat(violations()).containsExactly(new GivenTwice(DEVICE, "c:1", List.of("ann", "eve")));
    }

    @Test
    void keyThatOneIsGivenTwiceIsFound() {
        claim("ann", new KeyAnswer(FIRST));
        claim("bob", new KeyAnswer(SECOND));
        claim("ann", new KeyAnswer(FIRST));
        claim("ann", new KeyAnswer(FALLBACK));
        assertThat(violations()).containsExactly(new GivenTwice(DEVICE, "c:1", List.of("ann", "ann")));
    }

    @Test
    void keyThatWasNeverUploadedIsFound() {
        var unknown = new ClaimableKey("c:9", "{\"key\":\"nine\"}");
        claim("ann", new KeyAnswer(FIRST));
        claim("bob", new KeyAnswer(SECOND));
        claim("bob", new KeyAnswer(unknown));
        claim("ann", new KeyAnswer(FALLBACK));
        assertThat(violations()).containsExactly(new Unknown(DEVICE, unknown, "bob"));
    }

    @Test
    void keyWithTheContentOfAnotherIsFound() {
        var mixed = new ClaimableKey("c:2", "{\"key\":\"one\"}");
        claim("ann", new KeyAnswer(FIRST));
        claim("bob", new KeyAnswer(mixed));
        claim("ann", new KeyAnswer(FALLBACK));
        assertThat(violations()).containsExactly(new Unknown(DEVICE, mixed, "bob"), new NeverGiven(DEVICE, 1, 0));
    }

    @Test
    void answerWithoutAKeyIsFound() {
        claim("ann", new KeyAnswer(FIRST));
        claim("bob", new KeyAnswer(SECOND));
        claim("eve", new NoKey());
        claim("ann", new KeyAnswer(FALLBACK));
        assertThat(violations()).containsExactly(new NothingGiven(DEVICE, "eve"));
    }

    @Test
    void fallbackKeyBeforeItsTurnIsFound() {
        claim("ann", new KeyAnswer(FIRST));
        claim("eve", new KeyAnswer(FALLBACK));
        claim("bob", new KeyAnswer(SECOND));
        claim("ann", new KeyAnswer(FALLBACK));
        assertThat(violations()).containsExactly(new FallbackTooEarly(DEVICE, "eve", 1, 2));
    }

    @Test
    void fallbackKeyWhileTheLastKeyIsBeingTakenIsAsPromised() {
        claim("ann", new KeyAnswer(FIRST));
        claims.add(new Claim("bob", DEVICE, nanos, nanos + 10, new KeyAnswer(SECOND)));
        claims.add(new Claim("eve", DEVICE, nanos + 1, nanos + 2, new KeyAnswer(FALLBACK)));
        assertThat(violations()).isEmpty();
    }

    @Test
    void lastClaimThatIsNotGivenTheFallbackKeyIsFound() {
        claim("ann", new KeyAnswer(FIRST));
        claim("bob", new KeyAnswer(SECOND));
        assertThat(violations()).containsExactly(new NoFallback(DEVICE));
    }

    @Test
    void claimWithoutAnAnswerMayUseUpOneKey() {
        claim("ann", new NoAnswer());
        claim("bob", new KeyAnswer(SECOND));
        claim("ann", new KeyAnswer(FALLBACK));
        assertThat(violations()).isEmpty();
        assertThat(ClaimChecker.usedUp(List.of(stock()), claims)).isEqualTo(1);
    }

    @Test
    void claimWithoutAnAnswerThatUsesUpTwoKeysIsFound() {
        claim("ann", new NoAnswer());
        claim("ann", new KeyAnswer(FALLBACK));
        assertThat(violations())
                .containsExactly(new FallbackTooEarly(DEVICE, "ann", 1, 2), new NeverGiven(DEVICE, 2, 1));
    }

    @Test
    void keysOfOtherDevicesAreOthers() {
        claim("ann", new KeyAnswer(FIRST));
        claim("bob", new KeyAnswer(SECOND));
        claim("ann", new KeyAnswer(FALLBACK));
        claims.add(new Claim("ann", "@other:x B", 0, 1, new KeyAnswer(FIRST)));
        assertThat(violations()).isEmpty();
    }

    private void claim(String client, Outcome outcome) {
        claims.add(new Claim(client, DEVICE, nanos, nanos + 1, outcome));
        nanos += 2;
    }

    private static KeyStock stock() {
        return new KeyStock(DEVICE, List.of(FIRST, SECOND), FALLBACK);
    }

    private List<ClaimViolation> violations() {
        return ClaimChecker.violations(List.of(stock()), claims);
    }
}
