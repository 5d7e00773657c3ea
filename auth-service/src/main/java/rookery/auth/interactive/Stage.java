// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.auth.threepid.Threepid;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;

/** A stage of user-interactive authentication (contract.md 3.4); each is a component. */
public interface Stage {
    String DUMMY = "m.login.dummy";
    String PASSWORD = "m.login.password";
    String EMAIL = "m.login.email.identity";
    String MSISDN = "m.login.msisdn";
    String REGISTRATION_TOKEN = "m.login.registration_token";
    String TERMS = "m.login.terms";

    /** The stage's type, such as {@code m.login.password}. */
    String type();

    /** True if the tenant has the means for the stage, such as an SMS provider. */
    default boolean isOffered(TenantId tenant) {
        return true;
    }

    /** The stage's {@code params} in the challenge; empty for most stages. */
    default Map<String, Object> params(TenantId tenant) {
        return Map.of();
    }

    /** The proof; empty if the stage fails. Errors such as M_BAD_JSON for invalid fields. */
    Mono<Proof> pass(Trial trial);

    /** Records, in the operation's transaction, that the proof was used for the user; {@link #pass} has judged the proof. */
    default Mono<Void> spend(TenantId tenant, UserId user, Proof proof) {
        return Mono.empty();
    }

    /**
     * An attempt to complete a stage.
     *
     * @param ip the client's address
     * @param user the logged-in user, or null
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
            return "Trial"; // may contain a password
        }
    }

    /**
     * The result of a stage, kept in the session until the operation runs.
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
