// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import rookery.auth.interactive.Stage.Proof;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;

/** The result of a step of user-interactive authentication. */
public sealed interface Authentication {
    /**
     * Authenticated: the operation may run once, if {@link Interactive#consume} agrees.
     *
     * @param parameters the request's fields, merged with the fields of the session's earlier requests
     * @param session null if one request was enough
     */
    record Passed(JsonBody parameters, @Nullable String session, List<StageProof> stageProofs)
            implements Authentication {
        public List<Proof> proofs() {
            return stageProofs.stream().map(StageProof::proof).toList();
        }

        @Override
        public String toString() {
            return "Passed"; // without the parameters, which may contain a password
        }
    }

    /** The operation has run before. The device is the one that a registration created, or null. */
    record Repeated(
            JsonBody parameters, UserId user, @Nullable DeviceId device) implements Authentication {
        @Override
        public String toString() {
            return "Repeated " + user.value();
        }
    }

    /** More stages are needed: the body of the 401 (contract.md 3.4). */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Challenge(
            List<Flow> flows,
            Map<String, Object> params,
            String session,
            @Nullable Collection<String> completed,
            @Nullable ErrorCode errcode,
            @Nullable String error)
            implements Authentication {
        public ResponseEntity<Object> answer() {
            return ResponseEntity.status(HttpStatus.UNAUTHORIZED).body(this);
        }

        @Override
        public String toString() {
            return "Challenge"; // without the session
        }
    }

    /** One way to authenticate, as a list of stages. */
    record Flow(List<String> stages) {}

    /** The proof of a completed stage. */
    record StageProof(String stage, Proof proof) {}
}
