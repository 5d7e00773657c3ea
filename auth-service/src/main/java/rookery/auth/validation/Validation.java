// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.auth.threepid.Threepid;
import rookery.auth.threepid.ThreepidProperties;

/**
 * One validation of an address.
 *
 * @param tokenSent whether the checked token was sent for this validation
 * @param tokenNewest whether the checked token is the last one sent
 * @param tries wrong guesses of the last token
 * @param tokenAt when the last token was sent
 * @param nextLink the redirect target after the validation
 */
record Validation(
        String sid,
        Purpose purpose,
        Threepid threepid,
        boolean tokenSent,
        boolean tokenNewest,
        int tries,
        @Nullable Instant tokenAt,
        @Nullable String nextLink,
        Instant createdAt,
        @Nullable Instant validatedAt,
        @Nullable Instant usedAt) {
    /** The result of checking a token. */
    sealed interface Verdict {}

    /** The token validates the address, or has done so before. */
    record Right(@Nullable String nextLink) implements Verdict {}

    /** @param counts whether the guess uses up one of the tries */
    record Wrong(boolean counts) implements Verdict {}

    record Expired() implements Verdict {}

    /** Checks the token (contract.md 7.3, 14). */
    Verdict verdict(Instant now, ThreepidProperties properties) {
        if (isOver(now, properties)) {
            return new Expired();
        }
        return switch (threepid.medium()) {
            case EMAIL -> tokenSent ? new Right(nextLink) : new Wrong(false);
            case MSISDN -> ofCode(now, properties);
        };
    }

    private Verdict ofCode(Instant now, ThreepidProperties properties) {
        if (validatedAt != null) {
            return tokenSent ? new Right(nextLink) : new Wrong(false);
        }
        boolean old = tokenAt == null || tokenAt.plus(properties.codeLife()).isBefore(now);
        if (tries >= properties.codeTriesMax() || old) {
            return new Expired();
        }
        return tokenNewest ? new Right(nextLink) : new Wrong(true);
    }

    boolean isOver(Instant now, ThreepidProperties properties) {
        return createdAt.plus(properties.validationLife()).isBefore(now);
    }

    boolean isUsable(Instant now, ThreepidProperties properties) {
        return validatedAt != null && usedAt == null && !isOver(now, properties);
    }

    @Override
    public String toString() {
        return "Validation " + threepid;
    }
}
