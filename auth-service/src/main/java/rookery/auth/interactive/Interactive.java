// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Authentication.Challenge;
import rookery.auth.interactive.Authentication.Flow;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Authentication.Repeated;
import rookery.auth.interactive.Authentication.StageProof;
import rookery.auth.interactive.Stage.Trial;
import rookery.auth.interactive.UiaSession.Binding;
import rookery.auth.lease.GatewayNotices;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** User-interactive authentication (contract.md 3.4): leads a client through the stages of an operation. */
@Component
public class Interactive {
    private static final int ENTROPY_BYTES = 32;
    private static final String AUTH = "auth";

    private final UiaSessions sessions;
    private final Stages stages;
    private final GatewayNotices gateways;
    private final InteractiveProperties properties;
    private final Clock clock;
    private final RandomGenerator random;

    Interactive(
            UiaSessions sessions,
            Stages stages,
            GatewayNotices gateways,
            InteractiveProperties properties,
            Clock clock,
            RandomGenerator random) {
        this.sessions = sessions;
        this.stages = stages;
        this.gateways = gateways;
        this.properties = properties;
        this.clock = clock;
        this.random = random;
    }

    /**
     * The next step of an operation. The session is bound to the caller, if there is one. Errors: M_BAD_JSON, M_TOO_LARGE;
     * M_FORBIDDEN for a session of another operation or caller, and for fields that differ from the session's first request if
     * the operation is frozen; the errors of a stage for its fields.
     */
    public Mono<Authentication> step(Caller caller, Operation operation, Flows flows, JsonBody body) {
        var login = operation.isFrozen() ? caller.known() : null; // a registration is bound to no user
        var binding = login == null
                ? new Binding(operation.text(), null, null)
                : new Binding(operation.text(), login.user(), login.device());
        var attempt = new Attempt(caller, binding, operation, flows, fields(operation, body));
        var auth = body.optionalObject(AUTH);
        if (auth == null) {
            return started(attempt, null, null);
        }
        String id = auth.optionalString("session");
        String stage = auth.optionalString("type");
        if (id != null) {
            return sessions.find(caller.tenant(), id)
                    .filter(session -> !session.isDead(clock.instant(), properties))
                    .flatMap(session -> resumed(attempt, session, auth))
                    .switchIfEmpty(Mono.defer(() -> unknown(attempt)));
        }
        return stage == null ? started(attempt, null, null) : atOnce(attempt, stage, auth);
    }

    /**
     * Authenticates an operation and runs it. Answers the result, or the 401 with the challenge. A repetition of a finished
     * request gets the operation's repeated answer without a second run. For all operations but registrations.
     *
     * @param run the operation; empty if {@link #consume} did not agree, in which case nothing has happened
     */
    public <T> Mono<ResponseEntity<Object>> guarded(
            Caller caller, Operation operation, Flows flows, JsonBody body, Function<Passed, Mono<T>> run) {
        return step(caller, operation, flows, body).flatMap(step -> switch (step) {
            case Passed passed ->
                run.apply(passed)
                        .map(result -> ResponseEntity.ok((Object) result))
                        .switchIfEmpty(Mono.defer(() -> step(caller, operation, flows, body))
                                .flatMap(again -> answered(caller, operation, again)));
            case Challenge _, Repeated _ -> answered(caller, operation, step);
        });
    }

    /**
     * The answer to a request that may not run the operation. Passed after another request has used the session: 503. A repeated
     * answer waits for the gateways, because the first request may still wait for them.
     */
    private Mono<ResponseEntity<Object>> answered(Caller caller, Operation operation, Authentication step) {
        return switch (step) {
            case Challenge challenge -> Mono.just(challenge.answer());
            case Repeated repeated ->
                gateways.tell(caller.tenant(), repeated.user())
                        .thenReturn(ResponseEntity.ok(Objects.requireNonNull(operation.repeatedAnswer())));
            case Passed _ -> Mono.error(ApiException.unavailable("this was just done, try again"));
        };
    }

    /**
     * True if the operation may run. Called in the operation's transaction, after all checks that could refuse. False if the
     * operation has run already; {@link #step} then gives the answer.
     *
     * @param user the user of the operation
     * @param device the device that a registration creates, or null
     */
    public Mono<Boolean> consume(TenantId tenant, Passed passed, UserId user, @Nullable DeviceId device) {
        var session = passed.session();
        var consumed = session == null ? Mono.just(true) : sessions.consume(tenant, session, user, device);
        return consumed.flatMap(mayRun -> mayRun ? spent(tenant, passed, user).thenReturn(true) : Mono.just(false));
    }

    /** For operations without a logged-in user: a validated address of the account replaces the password. */
    public Flows addressFlows(TenantId tenant) {
        var email = List.of(Stage.EMAIL);
        return stages.offers(tenant, Stage.MSISDN)
                ? new Flows(List.of(email, List.of(Stage.MSISDN)))
                : new Flows(List.of(email));
    }

    /** For an account that is deactivated. Finished sessions are kept for a while to answer repeated requests. */
    public Mono<Void> forgetOpen(TenantId tenant, UserId user) {
        return sessions.deleteOpen(tenant, user);
    }

    private Mono<Void> spent(TenantId tenant, Passed passed, UserId user) {
        return Flux.fromIterable(passed.stageProofs())
                .concatMap(proof -> stages.spend(tenant, user, proof))
                .then();
    }

    /** A request with its binding, its operation and the flows of the operation. */
    private record Attempt(Caller caller, Binding binding, Operation operation, Flows flows, ObjectNode parameters) {
        Trial trial(JsonBody auth) {
            return new Trial(caller.tenant(), caller.server(), operation, caller.ip(), binding.user(), auth);
        }
    }

    private Mono<Authentication> started(Attempt attempt, @Nullable ErrorCode code, @Nullable String error) {
        var session = newSession(attempt);
        return sessions.insert(session).thenReturn(challenge(attempt, session, code, error));
    }

    private Mono<Authentication> unknown(Attempt attempt) {
        return started(attempt, ErrorCode.M_UNKNOWN, "this session is unknown or has ended, start again");
    }

    /** A single request that completes a flow creates no session. */
    private Mono<Authentication> atOnce(Attempt attempt, String stage, JsonBody auth) {
        if (!attempt.flows.leadsOn(Set.of(), stage)) {
            return started(attempt, ErrorCode.M_UNRECOGNIZED, "this stage is not part of the flows");
        }
        var session = newSession(attempt);
        return stages.pass(stage, attempt.trial(auth))
                .flatMap(proof -> attempt.flows.isComplete(Set.of(stage))
                        ? Mono.just(new Passed(new JsonBody(attempt.parameters), null, List.of(proof)))
                        : sessions.insert(session).then(booked(attempt, session, proof)))
                .switchIfEmpty(Mono.defer(() -> sessions.insert(session).then(failed(attempt, session, stage))));
    }

    private Mono<Authentication> resumed(Attempt attempt, UiaSession session, JsonBody auth) {
        if (!session.binding().equals(attempt.binding)) {
            return Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "this session belongs to another request"));
        }
        var merged = merged(session, attempt);
        var consumed = session.consumed();
        if (consumed != null) {
            return attempt.operation.isRepeatable()
                    ? Mono.just(new Repeated(new JsonBody(merged.parameters()), consumed.user(), consumed.device()))
                    : unknown(attempt);
        }
        String stage = auth.optionalString("type");
        if (stage == null || session.completed().contains(stage)) {
            return sessions.touch(merged).then(Mono.fromSupplier(() -> settled(attempt, merged)));
        }
        if (!attempt.flows.leadsOn(session.completed(), stage)) {
            return Mono.just(
                    challenge(attempt, merged, ErrorCode.M_UNRECOGNIZED, "this stage is not part of the flows"));
        }
        return stages.pass(stage, attempt.trial(auth))
                .flatMap(proof -> booked(attempt, merged, proof))
                .switchIfEmpty(Mono.defer(() -> failed(attempt, merged, stage)));
    }

    private Mono<Authentication> booked(Attempt attempt, UiaSession session, StageProof proof) {
        return sessions.complete(session, proof)
                .map(now -> settled(attempt, now))
                .switchIfEmpty(Mono.defer(() -> unknown(attempt)));
    }

    private Mono<Authentication> failed(Attempt attempt, UiaSession session, String stage) {
        return sessions.fail(session, stage)
                .thenReturn(challenge(attempt, session, ErrorCode.M_FORBIDDEN, "the authentication failed, try again"));
    }

    private Authentication settled(Attempt attempt, UiaSession session) {
        return attempt.flows.isComplete(session.completed())
                ? new Passed(new JsonBody(session.parameters()), session.id(), session.proofs())
                : challenge(attempt, session, null, null);
    }

    private Challenge challenge(Attempt attempt, UiaSession session, @Nullable ErrorCode code, @Nullable String error) {
        return new Challenge(
                attempt.flows.stages().stream().map(Flow::new).toList(),
                stages.params(session.tenant(), attempt.flows),
                session.id(),
                session.completed().isEmpty() ? null : session.completed(),
                code,
                error);
    }

    private UiaSession newSession(Attempt attempt) {
        byte[] secret = new byte[ENTROPY_BYTES];
        random.nextBytes(secret);
        var id = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        var now = clock.instant();
        return new UiaSession(
                attempt.caller.tenant(), id, attempt.binding, attempt.parameters, List.of(), List.of(), now, now, null);
    }

    /**
     * Merges the request's fields into the session's. A frozen operation refuses changed fields; otherwise the latest value wins.
     * Omitted fields keep their values.
     */
    private static UiaSession merged(UiaSession session, Attempt attempt) {
        var fields = session.parameters().deepCopy();
        fields.setAll(attempt.parameters);
        if (attempt.operation.isFrozen() && !fields.equals(session.parameters())) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "this session started with other values, start again");
        }
        return session.with(fields);
    }

    /** Keeps only the fields that the operation reads, so that sessions cannot be used as storage. */
    private static ObjectNode fields(Operation operation, JsonBody body) {
        var fields = body.json().deepCopy().retain(operation.fields());
        fields.removeIf(JsonNode::isNull); // null counts as absent
        if (fields.toString().length() > operation.charsMax()) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "the fields of this request are too long");
        }
        return fields;
    }
}
