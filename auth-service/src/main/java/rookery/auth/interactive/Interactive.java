package rookery.auth.interactive;

import java.time.Clock;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Authentication.Challenge;
import rookery.auth.interactive.Authentication.Flow;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Authentication.Repeated;
import rookery.auth.interactive.UiaSession.Binding;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.ObjectNode;

/** User-interactive authentication (CONTRACT.md 3.4): leads a client through the stages of an operation. */
@Component
public class Interactive {
    private static final int ENTROPY_BYTES = 32;
    private static final String AUTH = "auth";

    private final UiaSessions sessions;
    private final Stages stages;
    private final InteractiveProperties properties;
    private final Clock clock;
    private final RandomGenerator random;

    Interactive(
            UiaSessions sessions,
            Stages stages,
            InteractiveProperties properties,
            Clock clock,
            RandomGenerator random) {
        this.sessions = sessions;
        this.stages = stages;
        this.properties = properties;
        this.clock = clock;
        this.random = random;
    }

    /** The next step of an operation that nobody is logged in for; errors: M_BAD_JSON, and M_FORBIDDEN for another's session. */
    public Mono<Authentication> step(TenantId tenant, Operation operation, Flows flows, JsonBody body) {
        var attempt = new Attempt(tenant, new Binding(operation, null, null), flows, fields(operation, body));
        var auth = body.optionalObject(AUTH);
        if (auth == null) {
            return started(attempt, null, null);
        }
        String id = auth.optionalString("session");
        String stage = auth.optionalString("type");
        if (id != null) {
            return sessions.find(tenant, id)
                    .filter(session -> !session.isDead(clock.instant(), properties))
                    .flatMap(session -> resumed(attempt, session, auth))
                    .switchIfEmpty(Mono.defer(() ->
                            started(attempt, ErrorCode.M_UNKNOWN, "this session is not known or over, begin again")));
        }
        return stage == null ? started(attempt, null, null) : atOnce(attempt, stage, auth);
    }

    /** Whether the operation may run; in its transaction. False: it has run already, {@link #step} says with what. */
    public Mono<Boolean> consume(TenantId tenant, String session, UserId user, @Nullable DeviceId device) {
        return sessions.consume(tenant, session, user, device);
    }

    /**
     * Leads to an operation and runs it; the answer is its result, or the 401 that asks for more. For all but registrations.
     *
     * @param run the operation; empty if {@link #consume} did not agree, and then nothing has happened
     */
    public <T> Mono<ResponseEntity<Object>> guarded(
            Caller caller, Operation operation, Flows flows, JsonBody body, Function<Passed, Mono<T>> run) {
        return step(caller.tenant(), operation, flows, body).flatMap(step -> switch (step) {
            case Challenge challenge -> Mono.just(challenge.answer());
            case Repeated _ -> Mono.error(new IllegalStateException("only registrations are repeated"));
            case Passed passed ->
                run.apply(passed)
                        .map(result -> ResponseEntity.ok((Object) result))
                        .switchIfEmpty(Mono.error(() -> ApiException.unavailable("this was just done, try again")));
        });
    }

    /** The same of what has passed; what needed no session may run. */
    public Mono<Boolean> consume(TenantId tenant, Passed passed, UserId user, @Nullable DeviceId device) {
        var session = passed.session();
        return session == null ? Mono.just(true) : sessions.consume(tenant, session, user, device);
    }

    /** A request, what it is for, and which ways lead to it. */
    private record Attempt(TenantId tenant, Binding binding, Flows flows, ObjectNode parameters) {}

    private Mono<Authentication> started(Attempt attempt, @Nullable ErrorCode code, @Nullable String error) {
        var session = newSession(attempt);
        return sessions.insert(session).thenReturn(challenge(attempt, session, code, error));
    }

    /** All in one request: what needs no second one needs no session either. */
    private Mono<Authentication> atOnce(Attempt attempt, String stage, JsonBody auth) {
        if (!attempt.flows.leadsOn(Set.of(), stage)) {
            return started(attempt, ErrorCode.M_UNRECOGNIZED, "this stage is not asked for");
        }
        var session = newSession(attempt);
        return stages.passed(stage, auth)
                .flatMap(passed -> passed && attempt.flows.isComplete(Set.of(stage))
                        ? Mono.just(new Passed(new JsonBody(attempt.parameters), null))
                        : sessions.insert(session).then(booked(attempt, session, stage, passed)));
    }

    private Mono<Authentication> resumed(Attempt attempt, UiaSession session, JsonBody auth) {
        if (!session.binding().equals(attempt.binding)) {
            return Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "this session was begun for another request"));
        }
        var merged = merged(session, attempt);
        var consumed = session.consumed();
        if (consumed != null) {
            return Mono.just(new Repeated(new JsonBody(merged.parameters()), consumed.user(), consumed.device()));
        }
        String stage = auth.optionalString("type");
        if (stage == null || session.completed().contains(stage)) {
            return sessions.touch(merged).then(settled(attempt, merged));
        }
        if (!attempt.flows.leadsOn(session.completed(), stage)) {
            return Mono.just(challenge(attempt, merged, ErrorCode.M_UNRECOGNIZED, "this stage is not asked for"));
        }
        return stages.passed(stage, auth).flatMap(passed -> booked(attempt, merged, stage, passed));
    }

    private Mono<Authentication> booked(Attempt attempt, UiaSession session, String stage, boolean passed) {
        if (passed) {
            var completed = new HashSet<>(session.completed());
            completed.add(stage);
            return sessions.complete(session, stage).then(settled(attempt, with(session, completed)));
        }
        return sessions.fail(session, stage)
                .thenReturn(challenge(attempt, session, ErrorCode.M_FORBIDDEN, "this did not pass, try again"));
    }

    private static Mono<Authentication> settled(Attempt attempt, UiaSession session) {
        return Mono.just(
                attempt.flows.isComplete(session.completed())
                        ? new Passed(new JsonBody(session.parameters()), session.id())
                        : challenge(attempt, session, null, null));
    }

    private static Challenge challenge(
            Attempt attempt, UiaSession session, @Nullable ErrorCode code, @Nullable String error) {
        return new Challenge(
                attempt.flows.stages().stream().map(Flow::new).toList(),
                Map.of(),
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
                attempt.tenant, id, attempt.binding, attempt.parameters, Set.of(), List.of(), now, now, null);
    }

    /** What this request says wins, what it does not say was said before. */
    private static UiaSession merged(UiaSession session, Attempt attempt) {
        var fields = session.parameters().deepCopy();
        fields.setAll(attempt.parameters);
        return new UiaSession(
                session.tenant(),
                session.id(),
                session.binding(),
                fields,
                session.completed(),
                session.failed(),
                session.createdAt(),
                session.usedAt(),
                session.consumed());
    }

    private static UiaSession with(UiaSession session, Set<String> completed) {
        return new UiaSession(
                session.tenant(),
                session.id(),
                session.binding(),
                session.parameters(),
                Set.copyOf(completed),
                session.failed(),
                session.createdAt(),
                session.usedAt(),
                session.consumed());
    }

    /** No more than the operation reads: what waits for the next step must not be a place to store things. */
    private static ObjectNode fields(Operation operation, JsonBody body) {
        return body.json().deepCopy().retain(operation.fields);
    }
}
