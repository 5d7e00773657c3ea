package rookery.auth.interactive;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.auth.threepid.Threepid;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;

/** One stage that can be passed (contract.md 3.4); each is a component. */
public interface Stage {
    String DUMMY = "m.login.dummy";
    String PASSWORD = "m.login.password";
    String EMAIL = "m.login.email.identity";
    String MSISDN = "m.login.msisdn";
    String REGISTRATION_TOKEN = "m.login.registration_token";
    String TERMS = "m.login.terms";

    /** Such as {@code m.login.password}. */
    String type();

    /** Whether the tenant has what the stage needs, such as a provider that sends text messages. */
    default boolean isOffered(TenantId tenant) {
        return true;
    }

    /** What the challenge tells a client about it; empty for most. */
    default Map<String, Object> params(TenantId tenant) {
        return Map.of();
    }

    /** What was shown; empty if it does not pass. Fails with what is wrong with the fields themselves, such as M_BAD_JSON. */
    Mono<Proof> pass(Trial trial);

    /**
     * The proof has served its operation, for that user; in the operation's transaction, and only to write that down: whether
     * the proof is good was judged by {@link #pass}.
     */
    default Mono<Void> spend(TenantId tenant, UserId user, Proof proof) {
        return Mono.empty();
    }

    /**
     * An attempt to pass.
     *
     * @param ip the client's address
     * @param user who is logged in, or null
     * @param auth the field {@code auth} of the request
     */
    record Trial(
            TenantId tenant,
            ServerName server,
            Operation operation,
            String ip,
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
     * @param registrationToken a reserved use of a registration token, or null
     */
    record Proof(@Nullable Threepid threepid, @Nullable String registrationToken) {
        public static final Proof OF_NOTHING = new Proof(null, null);

        @Override
        public String toString() {
            return "Proof";
        }
    }
}
