// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;

/**
 * Limits concurrent work: a few pieces run, some more wait for their turn, and the rest is refused.
 *
 * <p>Tenants take turns, so that a tenant's rush delays only its own users. When the queue is full, the largest tenant's last
 * entry is refused. A user may have a twentieth of the queue, and run a quarter of the running pieces: a user who reads answers
 * slowly leaves capacity to others.
 */
public final class Turnstile {
    private static final int USER_MAX_LEAST = 8;
    private static final int USERS_IN_LINE = 20;

    private final Supplier<ApiException> full;
    private final int atOnce;
    private final int userAtOnce;
    private final int userMax;
    private final int waitingMax;
    /** Ordered by turn, the next tenant first; contains only tenants with waiting work. */
    private final LinkedHashMap<TenantId, SequencedSet<Ticket>> waiting = new LinkedHashMap<>();

    private final Map<TenantUser, Integer> byUser = new HashMap<>();
    private final Map<TenantUser, Integer> runningByUser = new HashMap<>();
    private final Turns turns = new Turns();
    private int waitingCount;
    private int running;

    private static final class Ticket {
        final TenantId tenant;
        final @Nullable TenantUser user;
        final Sinks.Empty<Void> turn = Sinks.empty();
        boolean sentAway;

        Ticket(TenantId tenant, @Nullable TenantUser user) {
            this.tenant = tenant;
            this.user = user;
        }
    }

    /** A turnstile that refuses with 503. */
    public Turnstile(int atOnce, int waitingMax) {
        this(
                atOnce,
                waitingMax,
                () -> ApiException.unavailable("too many requests wait for their turn, try again in a moment"));
    }

    /** @param full the refusal of work for which the queue has no place */
    public Turnstile(int atOnce, int waitingMax, Supplier<ApiException> full) {
        this.full = full;
        this.atOnce = atOnce;
        this.userAtOnce = Math.max(1, atOnce / 4);
        this.userMax = Math.max(USER_MAX_LEAST, waitingMax / USERS_IN_LINE); // a user's devices wake at the same time
        this.waitingMax = waitingMax;
    }

    /** Runs the work of a user in its turn; the refusal when the queue is full. */
    public <T> Mono<T> pass(TenantId tenant, UserId user, Mono<T> work) {
        return inTurn(tenant, new TenantUser(tenant, user), work);
    }

    /** Like {@link #pass(TenantId, UserId, Mono)}, for work of which a user may have as much as the tenant. */
    public <T> Mono<T> pass(TenantId tenant, Mono<T> work) {
        return inTurn(tenant, null, work);
    }

    private <T> Mono<T> inTurn(TenantId tenant, @Nullable TenantUser user, Mono<T> work) {
        return Mono.using(
                () -> begun(new Ticket(tenant, user)),
                ticket -> ticket.turn.asMono().then(work),
                this::leave);
    }

    /** Like {@link #pass}, for work with many results; takes its place until completion. */
    public <T> Flux<T> passAll(TenantId tenant, UserId user, Flux<T> work) {
        return Flux.using(
                () -> begun(new Ticket(tenant, new TenantUser(tenant, user))),
                ticket -> ticket.turn.asMono().thenMany(work),
                this::leave);
    }

    /** The number of waiting pieces. */
    public synchronized int waiting() {
        return waitingCount;
    }

    private Ticket begun(Ticket ticket) {
        var sentAway = enter(ticket);
        if (sentAway != null) {
            sentAway.turn.tryEmitError(full.get());
        }
        return ticket;
    }

    private synchronized @Nullable Ticket enter(Ticket ticket) {
        if (ticket.user != null && byUser.getOrDefault(ticket.user, 0) >= userMax) {
            throw full.get();
        }
        if (running < atOnce && mayRun(ticket)) {
            running++;
            countUp(runningByUser, ticket);
            countUp(byUser, ticket);
            ticket.turn.tryEmitEmpty();
            return null;
        }
        var sentAway = waitingCount < waitingMax ? null : takeFromLargest(ticket.tenant);
        countUp(byUser, ticket);
        waiting.computeIfAbsent(ticket.tenant, _ -> new LinkedHashSet<>()).add(ticket);
        waitingCount++;
        return sentAway;
    }

    private boolean mayRun(Ticket ticket) {
        return ticket.user == null || runningByUser.getOrDefault(ticket.user, 0) < userAtOnce;
    }

    /** Removes the largest tenant's last ticket from a full queue; the refusal if the new ticket's tenant is the largest. */
    private Ticket takeFromLargest(TenantId coming) {
        var largest = waiting.entrySet().stream()
                .max(Comparator.comparingInt(each -> each.getValue().size()))
                .orElseThrow(full);
        var own = waiting.get(coming);
        int ownCount = own == null ? 0 : own.size();
        if (largest.getValue().size() <= ownCount + 1) {
            throw full.get();
        }
        var last = largest.getValue().getLast();
        remove(last);
        last.sentAway = true;
        return last;
    }

    private void leave(Ticket ticket) {
        var next = next(ticket);
        if (next != null) {
            turns.emit(next.turn);
        }
    }

    private synchronized @Nullable Ticket next(Ticket left) {
        countDown(byUser, left);
        if (remove(left) || left.sentAway) {
            return null; // cancelled before its turn, or refused
        }
        countDown(runningByUser, left);
        running--;
        var next = waiting.values().stream()
                .flatMap(SequencedSet::stream)
                .filter(this::mayRun)
                .findFirst()
                .orElse(null);
        if (next != null) {
            remove(next);
            putLast(next.tenant);
            running++;
            countUp(runningByUser, next);
        }
        return next;
    }

    private static void countUp(Map<TenantUser, Integer> counts, Ticket ticket) {
        if (ticket.user != null) {
            counts.merge(ticket.user, 1, Integer::sum);
        }
    }

    private static void countDown(Map<TenantUser, Integer> counts, Ticket ticket) {
        if (ticket.user != null) {
            counts.computeIfPresent(ticket.user, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Moves the tenant behind all others. */
    private void putLast(TenantId tenant) {
        var line = waiting.remove(tenant);
        if (line != null) {
            waiting.put(tenant, line);
        }
    }

    private boolean remove(Ticket ticket) {
        var line = waiting.get(ticket.tenant);
        if (line == null || !line.remove(ticket)) {
            return false;
        }
        waitingCount--;
        if (line.isEmpty()) {
            waiting.remove(ticket.tenant);
        }
        return true;
    }
}
