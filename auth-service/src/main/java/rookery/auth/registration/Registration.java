// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Authentication;
import rookery.auth.interactive.Authentication.Challenge;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Authentication.Repeated;
import rookery.auth.interactive.Interactive;
import rookery.auth.interactive.Operation;
import rookery.auth.session.Session;
import rookery.auth.session.SessionRequest.DeviceRequest;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;

/** Runs the authentication of a registration, and repeats the last answer for a client that lost it. */
@Component
class Registration {
    private final RegistrationRules rules;
    private final Interactive interactive;
    private final Registrar registrar;

    Registration(RegistrationRules rules, Interactive interactive, Registrar registrar) {
        this.rules = rules;
        this.interactive = interactive;
        this.registrar = registrar;
    }

    /** The result of one request: a challenge, the account, or an account without a session that an administrator must approve. */
    sealed interface Progress {}

    record Challenged(Challenge challenge) implements Progress {}

    /** @param session null with {@code inhibit_login} */
    record Registered(UserId user, @Nullable Session session) implements Progress {}

    record Awaiting() implements Progress {}

    Mono<Progress> next(Caller caller, JsonBody body) {
        rules.requireOpen(caller.tenant());
        var _ = DeviceRequest.of(body); // validates the device before a session stores the request
        var user = rules.requireFields(body, caller);
        var auth = body.optionalObject("auth");
        if (auth != null && auth.has("session")) {
            return step(caller, body).flatMap(step -> followed(caller, user, step, body));
        }
        return free(caller, user)
                .then(Mono.defer(() -> step(caller, body)))
                .flatMap(step -> followed(caller, user, step, body));
    }

    private Mono<Authentication> step(Caller caller, JsonBody body) {
        return interactive.step(caller, Operation.REGISTER, rules.flows(caller.tenant()), body);
    }

    private Mono<Progress> followed(Caller caller, @Nullable UserId user, Authentication step, JsonBody body) {
        return switch (step) {
            case Challenge challenge -> free(caller, user).thenReturn(new Challenged(challenge));
            case Repeated repeated -> registrar.again(caller.tenant(), repeated);
            case Passed passed ->
                registrar
                        .register(caller, passed)
                        .onErrorResume(failure -> orRepeated(passed, failure))
                        .switchIfEmpty(Mono.defer(() -> repeated(caller, body)));
        };
    }

    /** Two concurrent requests of a session: the slower one finds the session used, or the user name taken by the faster one. */
    private Mono<Progress> repeated(Caller caller, JsonBody body) {
        return step(caller, body).flatMap(step -> switch (step) {
            case Repeated repeated -> registrar.again(caller.tenant(), repeated);
            case Challenge challenge -> Mono.just(new Challenged(challenge));
            case Passed _ -> Mono.error(Registrar.taken());
        });
    }

    /** Refuses a taken user name before the client completes any stage. */
    private Mono<Void> free(Caller caller, @Nullable UserId user) {
        return user == null ? Mono.empty() : registrar.requireFree(caller.tenant(), user);
    }

    /** If the user name was taken meanwhile, empty lets the caller look in the session, which may have taken the name. */
    private static Mono<Progress> orRepeated(Passed passed, Throwable failure) {
        boolean taken = failure instanceof ApiException refusal && refusal.code == ErrorCode.M_USER_IN_USE;
        return taken && passed.session() != null ? Mono.empty() : Mono.error(failure);
    }
}
