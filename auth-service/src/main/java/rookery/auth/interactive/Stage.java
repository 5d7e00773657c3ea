package rookery.auth.interactive;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.auth.threepid.Threepid;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;

/** One stage that can be passed (CONTRACT.md 3.4); each is a component. */
public interface Stage {
    /** Such as {@code m.login.password}. */
    String type();

    /** What the challenge tells a client about it; empty for most. */
    default Map<String, Object> params(TenantId tenant) {
        return Map.of();
    }

    /** What was shown; empty if it does not pass. Fails with what is wrong with the fields themselves, such as M_BAD_JSON. */
    Mono<Proof> pass(Trial trial);

    /**
     * An attempt to pass.
     *
     * @param user who is logged in, or null
     * @param auth the field {@code auth} of the request
     */
    record Trial(
            TenantId tenant,
            ServerName server,
            Operation operation,
            @Nullable UserId user,
            JsonBody auth) {
        @Override
        public String toString() {
            return "Trial"; // there may be a password in it
        }
    }

    /**
     * What the stage has shown, kept with the session until the operation runs.
     *
     * @param threepid an address that the client has validated, or null
     * @param registrationToken a registration token that is good, or null
     */
    record Proof(@Nullable Threepid threepid, @Nullable String registrationToken) {
        public static final Proof OF_NOTHING = new Proof(null, null);

        @Override
        public String toString() {
            return "Proof";
        }
    }
}
