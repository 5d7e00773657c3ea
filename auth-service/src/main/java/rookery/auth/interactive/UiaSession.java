// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import rookery.auth.interactive.Authentication.StageProof;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import tools.jackson.databind.node.ObjectNode;

/**
 * An authentication in progress, or finished.
 *
 * @param id the client's secret; decrypts {@code parameters} and {@code proofs}, and is never stored
 * @param binding the operation and the caller
 * @param parameters the request's fields so far, without {@code auth}
 * @param proofs the proofs of the completed stages
 * @param failed the stage's type, once for each failure
 * @param consumed the result, or null while the session is open
 */
record UiaSession(
        TenantId tenant,
        String id,
        Binding binding,
        ObjectNode parameters,
        List<StageProof> proofs,
        List<String> failed,
        Instant createdAt,
        Instant usedAt,
        @Nullable Consumption consumed) {
    private static final int FAILURES_MAX = 5;

    /** The scope of a session (contract.md 3.4): method and path, and the user and device of an authenticated caller. */
    record Binding(
            String operation,
            @Nullable UserId user,
            @Nullable DeviceId device) {}

    /** The operation has run. The device is the one that a registration created, or null. */
    record Consumption(Instant at, UserId user, @Nullable DeviceId device) {}

    Set<String> completed() {
        return proofs.stream().map(StageProof::stage).collect(Collectors.toUnmodifiableSet());
    }

    UiaSession with(ObjectNode others) {
        return new UiaSession(tenant, id, binding, others, proofs, failed, createdAt, usedAt, consumed);
    }

    /** True if the session has expired or has too many failures: a dead session is treated as unknown. */
    boolean isDead(Instant now, InteractiveProperties properties) {
        return isOlder(usedAt, properties.idleMax(), now)
                || isOlder(createdAt, properties.ageMax(), now)
                || failed.stream().anyMatch(stage -> Collections.frequency(failed, stage) >= FAILURES_MAX)
                || (consumed != null && isOlder(consumed.at, properties.replay(), now));
    }

    private static boolean isOlder(Instant time, Duration most, Instant now) {
        return time.plus(most).isBefore(now);
    }

    @Override
    public String toString() {
        return binding.operation; // without the ID and the parameters
    }
}
