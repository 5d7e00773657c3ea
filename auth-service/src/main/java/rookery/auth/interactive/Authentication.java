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

/** How far a request's authentication has come. */
public sealed interface Authentication {
    /**
     * Done: the operation may run, once, if {@link Interactive#consume} agrees.
     *
     * @param parameters the request's fields, those of earlier requests of the session among them
     * @param session null when all of it was one request
     */
    record Passed(JsonBody parameters, @Nullable String session, List<StageProof> shown) implements Authentication {
        public List<Proof> proofs() {
            return shown.stream().map(StageProof::proof).toList();
        }

        @Override
        public String toString() {
            return "Passed"; // there may be a password among the parameters
        }
    }

    /** The operation was done before: for whom, and of which device the session that a registration opened, if any. */
    record Repeated(
            JsonBody parameters, UserId user, @Nullable DeviceId device) implements Authentication {
        @Override
        public String toString() {
            return "Repeated " + user.value();
        }
    }

    /** More is needed: the body of the 401 in contract.md 3.4. */
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
            return "Challenge"; // never the session
        }
    }

    /** One way to authenticate. */
    record Flow(List<String> stages) {}

    /** What a stage has shown. */
    record StageProof(String stage, Proof proof) {}
}
