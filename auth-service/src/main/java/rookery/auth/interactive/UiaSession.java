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
 * One authentication in progress, or finished.
 *
 * @param id what the client holds; opens {@code parameters} and {@code shown}, and is stored nowhere
 * @param binding whose it is and what for
 * @param parameters the request's fields so far, without {@code auth}
 * @param shown by the stages that were completed
 * @param failed one element for each failure: the stage
 * @param consumed what came of it, or null while it is open
 */
record UiaSession(
        TenantId tenant,
        String id,
        Binding binding,
        ObjectNode parameters,
        List<StageProof> shown,
        List<String> failed,
        Instant createdAt,
        Instant usedAt,
        @Nullable Consumption consumed) {
    private static final int FAILURES_MAX = 5;

    /** What a session is good for (contract.md 3.4): method and path, and of authenticated ones the user and device. */
    record Binding(
            String operation,
            @Nullable UserId user,
            @Nullable DeviceId device) {}

    /** The operation has run, once: when, for whom, and which session a registration opened, if any. */
    record Consumption(Instant at, UserId user, @Nullable DeviceId device) {}

    Set<String> completed() {
        return shown.stream().map(StageProof::stage).collect(Collectors.toUnmodifiableSet());
    }

    UiaSession with(ObjectNode others) {
        return new UiaSession(tenant, id, binding, others, shown, failed, createdAt, usedAt, consumed);
    }

    /** Whether it has run out, or was tried too often: then it is as unknown as one that never was. */
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
        return binding.operation; // neither the id nor the parameters
    }
}
