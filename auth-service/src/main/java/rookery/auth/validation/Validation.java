package rookery.auth.validation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.auth.threepid.Threepid;
import rookery.auth.threepid.ThreepidProperties;

/**
 * One validation of an address.
 *
 * @param known whether the token that was looked up with it was ever sent
 * @param newest whether it is the last one that was sent
 * @param tries wrong guesses of the last one
 * @param tokenAt when the last one was sent
 * @param nextLink where the browser goes afterwards
 */
record Validation(
        String sid,
        Purpose purpose,
        Threepid threepid,
        boolean known,
        boolean newest,
        int tries,
        @Nullable Instant tokenAt,
        @Nullable String nextLink,
        Instant createdAt,
        @Nullable Instant validatedAt,
        @Nullable Instant usedAt) {
    /** What a token does. */
    sealed interface Verdict {}

    /** It validates the address, or has done so. */
    record Right(@Nullable String nextLink) implements Verdict {}

    /** @param counts whether it uses up one of the guesses */
    record Wrong(boolean counts) implements Verdict {}

    record Expired() implements Verdict {}

    /** Judges the token that was looked up (contract.md 7.3, 14). */
    Verdict verdict(Instant now, ThreepidProperties properties) {
        if (isOver(now, properties)) {
            return new Expired();
        }
        return switch (threepid.medium()) {
            case EMAIL -> known ? new Right(nextLink) : new Wrong(false);
            case MSISDN -> ofCode(now, properties);
        };
    }

    private Verdict ofCode(Instant now, ThreepidProperties properties) {
        if (validatedAt != null) {
            return known ? new Right(nextLink) : new Wrong(false);
        }
        boolean old = tokenAt == null || tokenAt.plus(properties.codeLife()).isBefore(now);
        if (tries >= properties.codeTriesMax() || old) {
            return new Expired();
        }
        return newest ? new Right(nextLink) : new Wrong(true);
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
