// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.room.administration.RedactionJobs.JobState;
import rookery.room.administration.RedactionJobs.NewJob;

/** Redactions of all messages of a user. Internal: admin-service has already checked the administrator's rights. */
@RestController
class UserRedactionApi {
    private static final int LIMIT = 1_000;
    private static final int LIMIT_MAX = 1_000_000;
    private static final int REASON_MAX = 2_000;

    private final RedactionJobs jobs;
    private final RandomGenerator random;

    UserRedactionApi(RedactionJobs jobs, RandomGenerator random) {
        this.jobs = jobs;
        this.random = random;
    }

    /**
     * Starts to redact the user's newest messages, not state, on the server's authority and in the administrator's name.
     * M_INVALID_PARAM for a limit or reason out of range.
     */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/users/redact")
    Mono<StartedRedaction> redact(@RequestBody UserRedaction request) {
        var job = request.job();
        var hex = HexFormat.of();
        var id = hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
        return jobs.start(id, job).thenReturn(new StartedRedaction(id));
    }

    /** How far the redaction is. M_NOT_FOUND for an unknown one, and a week after its end. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/users/redactions")
    Mono<RedactionState> state(@RequestBody RedactionQuestion question) {
        return jobs.state(question.tenant, question.id)
                .map(RedactionState::of)
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no redaction with this id")));
    }

    /**
     * A request.
     *
     * @param by the administrator
     * @param rooms null and empty for all rooms in which the user is or was
     * @param reason at most 2,000 characters
     * @param limit the most events of each room; null for 1,000
     */
    record UserRedaction(
            TenantId tenant,
            UserId user,
            UserId by,
            @Nullable List<RoomId> rooms,
            @Nullable String reason,
            @Nullable Integer limit) {
        NewJob job() {
            int most = Objects.requireNonNullElse(limit, LIMIT);
            if (most < 1 || most > LIMIT_MAX) {
                throw new ApiException(ErrorCode.M_INVALID_PARAM, "limit is from 1 to " + LIMIT_MAX);
            }
            if (reason != null && reason.length() > REASON_MAX) {
                throw new ApiException(ErrorCode.M_INVALID_PARAM, "reason has at most " + REASON_MAX + " characters");
            }
            return new NewJob(tenant, user, by, rooms == null ? List.of() : rooms, reason, most);
        }
    }

    record StartedRedaction(@JsonProperty("redact_id") String id) {}

    record RedactionQuestion(TenantId tenant, String id) {}

    /**
     * The state of a redaction.
     *
     * @param status {@code active} or {@code complete}; a redaction that cannot go on is repeated until it can
     * @param failures errors by event id
     */
    record RedactionState(
            String status,
            @JsonProperty("failed_redactions") Map<String, String> failures) {
        static RedactionState of(JobState state) {
            return new RedactionState(state.isActive() ? "active" : "complete", state.failures());
        }
    }
}
