// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sync;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantUser;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenOwner;
import rookery.platform.http.AnswerReservation;
import rookery.platform.metrics.DurationBuckets;
import rookery.platform.tenant.TenantPlaces;
import rookery.sync.answer.Answer;
import rookery.sync.answer.AnswerFinder;
import rookery.sync.answer.Poll;
import rookery.sync.answer.SyncQuery;
import rookery.sync.filter.SyncFilters;
import rookery.sync.inbox.FollowedLogs;
import rookery.sync.inbox.Inbox;
import rookery.sync.inbox.InboxLoader;
import rookery.sync.inbox.Inboxes;
import rookery.sync.inbox.SessionEnds;
import rookery.sync.online.PresenceKeeper;
import rookery.sync.waiting.Urgency;
import rookery.sync.waiting.Wake;

/**
 * Answers syncs: listens, looks, and without content waits and looks again (contract.md 10.7, design.md 4).
 *
 * <p>A waiting request occupies no thread. Its token advances past changes that the filter excludes.
 */
@Component
public class Syncer {
    private static final Duration WAIT_OF_ENDED_MAX = Duration.ofSeconds(1);

    private final SinceTokens tokens;
    private final SyncFilters filters;
    private final Inboxes inboxes;
    private final InboxLoader loader;
    private final FollowedLogs logs;
    private final AnswerFinder finder;
    private final ClassicAnswering classic;
    private final PresenceKeeper presence;
    private final SessionEnds sessionEnds;
    private final NodeDrain drain;
    private final MeterRegistry meters;
    private final Timer wakeToAnswer;
    private final AtomicInteger waiting = new AtomicInteger();
    private final TenantPlaces open;

    Syncer(
            SinceTokens tokens,
            SyncFilters filters,
            Inboxes inboxes,
            InboxLoader loader,
            FollowedLogs logs,
            AnswerFinder finder,
            ClassicAnswering classic,
            PresenceKeeper presence,
            SessionEnds sessionEnds,
            NodeDrain drain,
            WaitingProperties properties,
            MeterRegistry meters) {
        this.tokens = tokens;
        this.filters = filters;
        this.inboxes = inboxes;
        this.loader = loader;
        this.logs = logs;
        this.finder = finder;
        this.classic = classic;
        this.presence = presence;
        this.sessionEnds = sessionEnds;
        this.drain = drain;
        this.meters = meters;
        this.open = new TenantPlaces(properties.requestsMax());
        this.wakeToAnswer = Timer.builder("sync_wake_to_answer")
                .description("from the wake of a waiting request to its answer")
                .publishPercentileHistogram()
                .register(meters);
        Gauge.builder("sync_requests", open, TenantPlaces::taken)
                .description("open requests, waiting or not")
                .register(meters);
        Gauge.builder("sync_waiters", waiting, AtomicInteger::get)
                .description("waiting requests")
                .register(meters);
    }

    /**
     * The answer as JSON, in parts if complete. A failure after the first part leaves the answer without end, and cuts the
     * connection.
     *
     * <p>Errors: 400 for an invalid token or filter, 401 when the session ends, 503 when another service is not available.
     */
    Flux<byte[]> answer(Caller caller, SyncQuery query, AnswerReservation reservation) {
        var owner = new TokenOwner(caller.tenant(), caller.user());
        var since = tokens.read(query.since(), owner);
        return filters.find(owner, query.filter())
                .flatMapMany(filter -> answer(
                        caller,
                        query,
                        inbox -> new Poll(caller, caller.prefix(), query, filter, since, inbox, reservation, classic)));
    }

    /** The answer to a request with a user's inbox, like {@link #answer(Caller, SyncQuery, AnswerReservation)}. */
    public Flux<byte[]> answer(Caller caller, SyncQuery query, Function<Inbox, Poll> begin) {
        var key = new TenantUser(caller.tenant(), caller.user());
        return Flux.using(
                () -> enter(key, caller, query),
                inbox -> looking(() -> begin.apply(inbox)),
                inbox -> leave(inbox, caller, query));
    }

    private Inbox enter(TenantUser key, Caller caller, SyncQuery query) {
        if (!open.take(key.tenant().value())) {
            throw ApiException.unavailable(
                    "too many clients are connected to this part of the server, try again in a moment");
        }
        try {
            var inbox = inboxes.enter(key);
            presence.entered(inbox, caller.device(), query.presence());
            return inbox;
        } catch (RuntimeException e) {
            open.giveBack(key.tenant().value());
            throw e;
        }
    }

    private void leave(Inbox inbox, Caller caller, SyncQuery query) {
        open.giveBack(caller.tenant().value());
        presence.left(inbox, caller.device(), query.presence());
        inboxes.leave(inbox);
    }

    private Flux<byte[]> looking(Callable<Poll> begin) {
        return Flux.using(begin, this::repeated, Poll::close);
    }

    private Flux<byte[]> repeated(Poll poll) {
        return Mono.defer(() -> look(poll))
                .onErrorResume(ApiException.class, refusal -> tooLarge(poll, refusal))
                .repeatWhenEmpty(times -> times)
                .flatMapMany(answer -> answer);
    }

    /** Sends changes too large for one answer as a complete answer, room by room: every retry would fail otherwise. */
    private Mono<Flux<byte[]>> tooLarge(Poll poll, ApiException refusal) {
        if (!poll.isNowTooLarge()) {
            return Mono.error(refusal);
        }
        poll.reservation.clear();
        return Mono.empty();
    }

    /** Empty if the look must be repeated: after a wake, or because the answer was overtaken. */
    private Mono<Flux<byte[]>> look(Poll poll) {
        long began = System.nanoTime();
        var bell = poll.waiter.listening(); // before any read: design.md 4
        return loader.loaded(poll.inbox)
                .then(Mono.defer(() -> caughtUp(poll)))
                .then(Mono.defer(() -> respond(poll, bell, began)));
    }

    private Mono<Flux<byte[]>> respond(Poll poll, Mono<Wake> bell, long began) {
        if (poll.answering.isComplete(poll)) {
            var parts = poll.answering.all(poll).doOnComplete(() -> count("whole", began));
            answered(poll, Urgency.NOW);
            return Mono.just(parts);
        }
        return poll.answering
                .changes(poll)
                .onTerminateDetach() // releases the look's objects during the wait
                .flatMap(answer -> respond(poll, answer, bell, began));
    }

    private Mono<Flux<byte[]>> respond(Poll poll, Answer found, Mono<Wake> bell, long began) {
        var urgency = finder.urgency(found);
        if (poll.isAnsweredAtOnce() || drain.isOn() || isOver(poll) || poll.waiter.isDue(urgency)) {
            return poll.answering.written(poll, found).map(answer -> {
                answered(poll, urgency);
                count("changes", began);
                if (poll.wasWoken()) {
                    wakeToAnswer.record(Duration.ofNanos(System.nanoTime() - poll.waiter.wokenNanos()));
                }
                return Flux.just(answer);
            });
        }
        poll.reservation.clear();
        if (urgency != Urgency.NOTHING) {
            poll.waitFrom(Objects.requireNonNull(poll.since()));
            return rung(poll, bell).flatMap(wake -> woken(poll, null, wake)).map(Flux::just);
        }
        poll.waitAfter(finder.untold(Objects.requireNonNull(poll.since()), found));
        return rung(poll, bell).flatMap(wake -> woken(poll, found, wake)).map(Flux::just);
    }

    /** An answer with news begins the device's next interval of gathering. */
    private static void answered(Poll poll, Urgency urgency) {
        if (urgency != Urgency.NOTHING) {
            poll.inbox.waiters().answered(poll.device);
        }
    }

    private void count(String kind, long began) {
        Timer.builder("sync_duration")
                .description("from the request, or from its wake, to the answer")
                .tag("kind", kind)
                .serviceLevelObjectives(DurationBuckets.all())
                .register(meters)
                .record(Duration.ofNanos(System.nanoTime() - began));
    }

    private Mono<Wake> rung(Poll poll, Mono<Wake> bell) {
        var rung = bell.timeout(poll.left(timeout(poll)), Mono.just(Wake.TIMEOUT))
                .publishOn(Schedulers.parallel()); // frees the thread that wakes
        return Mono.using(
                waiting::incrementAndGet, _ -> rung, _ -> waiting.decrementAndGet()); // before the answer is written
    }

    /** Repeated wakes without content must not extend the timeout. */
    private boolean isOver(Poll poll) {
        return poll.left(timeout(poll)).isZero();
    }

    private Duration timeout(Poll poll) {
        var timeout = poll.query.timeout();
        return timeout.compareTo(WAIT_OF_ENDED_MAX) > 0 && sessionEnds.isRecent(poll.inbox.key(), poll.device)
                ? WAIT_OF_ENDED_MAX
                : timeout;
    }

    /** @param nothing the answer without content; null if news wait, which the next look sends */
    private Mono<byte[]> woken(Poll poll, @Nullable Answer nothing, Wake wake) {
        return switch (wake) {
            case NEWS -> Mono.empty();
            case TIMEOUT -> written(poll, nothing);
            case SHUTDOWN -> drain.turn().then(Mono.defer(() -> written(poll, nothing)));
            case SESSION_ENDED ->
                Mono.error(new ApiException(ErrorCode.M_UNKNOWN_TOKEN, "the access token is not known")
                        .with("soft_logout", false));
            case TENANT_SUSPENDED -> Mono.error(ApiException.tenantSuspended());
            case SESSION_LOCKED ->
                Mono.error(
                        new ApiException(ErrorCode.M_USER_LOCKED, "this account is locked").with("soft_logout", true));
        };
    }

    /** The answer without content; empty if news wait. */
    private Mono<byte[]> written(Poll poll, @Nullable Answer nothing) {
        return nothing == null || poll.waiter.isGathering() ? Mono.empty() : poll.answering.written(poll, nothing);
    }

    /** Catches up with the logs for requests that never wait, and cuts back a token that is ahead of the logs. */
    private Mono<Void> caughtUp(Poll poll) {
        var since = inCurrentEpochs(poll);
        if (!poll.isFirstLook()) {
            return Mono.empty();
        }
        if (since == null || finder.beginsAnew(since)) {
            return poll.answering.beginAnew(poll);
        }
        var cutBack = cutBack(poll, since);
        return poll.isAnsweredAtOnce() ? cutBack.then(Mono.defer(logs::caughtUp)) : cutBack.onErrorComplete();
    }

    private @Nullable SyncToken inCurrentEpochs(Poll poll) {
        var since = poll.since();
        var state = since == null ? null : logs.compare(since, poll.reader);
        if (state != null && state.isValidFromEarlier()) {
            poll.cutBackTo(state.inCurrentEpochs());
        }
        return poll.since();
    }

    private Mono<Void> cutBack(Poll poll, SyncToken since) {
        var state = logs.compare(since, poll.reader);
        return !state.isAhead()
                ? Mono.empty()
                : Mono.zip(logs.rooms().heads(), logs.users().heads(), state::cutBackTo)
                        .doOnNext(poll::cutBackTo)
                        .then();
    }
}
