// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.runtime.Turns;

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
        final TenantUser user;
        final Sinks.Empty<Void> turn = Sinks.empty();
        boolean sentAway;

        Ticket(TenantUser user) {
            this.user = user;
        }
    }

    public Turnstile(int atOnce, int waitingMax) {
        this.atOnce = atOnce;
        this.userAtOnce = Math.max(1, atOnce / 4);
        this.userMax = Math.max(USER_MAX_LEAST, waitingMax / USERS_IN_LINE); // a user's devices wake at the same time
        this.waitingMax = waitingMax;
    }

    /** Runs the work in its turn; 503 when the queue is full. */
    public <T> Mono<T> pass(TenantId tenant, UserId user, Mono<T> work) {
        return Mono.using(
                () -> enter(new TenantUser(tenant, user)),
                ticket -> ticket.turn.asMono().then(work),
                this::leave);
    }

    /** Like {@link #pass}, for work with many results; takes its place until completion. */
    public <T> Flux<T> passAll(TenantId tenant, UserId user, Flux<T> work) {
        return Flux.using(
                () -> enter(new TenantUser(tenant, user)),
                ticket -> ticket.turn.asMono().thenMany(work),
                this::leave);
    }

    /** The number of waiting pieces. */
    public synchronized int waiting() {
        return waitingCount;
    }

    private Ticket enter(TenantUser user) {
        var ticket = new Ticket(user);
        var sentAway = enter(ticket);
        if (sentAway != null) {
            sentAway.turn.tryEmitError(full());
        }
        return ticket;
    }

    private synchronized @Nullable Ticket enter(Ticket ticket) {
        if (byUser.getOrDefault(ticket.user, 0) >= userMax) {
            throw full();
        }
        if (running < atOnce && mayRun(ticket)) {
            running++;
            runningByUser.merge(ticket.user, 1, Integer::sum);
            byUser.merge(ticket.user, 1, Integer::sum);
            ticket.turn.tryEmitEmpty();
            return null;
        }
        var sentAway = waitingCount < waitingMax ? null : takeFromLargest(ticket.user.tenant());
        byUser.merge(ticket.user, 1, Integer::sum);
        waiting.computeIfAbsent(ticket.user.tenant(), _ -> new LinkedHashSet<>())
                .add(ticket);
        waitingCount++;
        return sentAway;
    }

    private boolean mayRun(Ticket ticket) {
        return runningByUser.getOrDefault(ticket.user, 0) < userAtOnce;
    }

    /** Removes the largest tenant's last ticket from a full queue; 503 if the new ticket's tenant is the largest. */
    private Ticket takeFromLargest(TenantId coming) {
        var largest = waiting.entrySet().stream()
                .max(Comparator.comparingInt(each -> each.getValue().size()))
                .orElseThrow(Turnstile::full);
        var own = waiting.get(coming);
        int ownCount = own == null ? 0 : own.size();
        if (largest.getValue().size() <= ownCount + 1) {
            throw full();
        }
        var last = largest.getValue().getLast();
        remove(last);
        last.sentAway = true;
        return last;
    }

    private static ApiException full() {
        return ApiException.unavailable("too many clients are catching up, try again in a moment");
    }

    private void leave(Ticket ticket) {
        var next = next(ticket);
        if (next != null) {
            turns.emit(next.turn);
        }
    }

    private synchronized @Nullable Ticket next(Ticket left) {
        countDown(byUser, left.user);
        if (remove(left) || left.sentAway) {
            return null; // cancelled before its turn, or refused
        }
        countDown(runningByUser, left.user);
        running--;
        var next = waiting.values().stream()
                .flatMap(SequencedSet::stream)
                .filter(this::mayRun)
                .findFirst()
                .orElse(null);
        if (next != null) {
            remove(next);
            putLast(next.user.tenant());
            running++;
            runningByUser.merge(next.user, 1, Integer::sum);
        }
        return next;
    }

    private static void countDown(Map<TenantUser, Integer> counts, TenantUser user) {
        counts.computeIfPresent(user, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Moves the tenant behind all others. */
    private void putLast(TenantId tenant) {
        var line = waiting.remove(tenant);
        if (line != null) {
            waiting.put(tenant, line);
        }
    }

    private boolean remove(Ticket ticket) {
        var line = waiting.get(ticket.user.tenant());
        if (line == null || !line.remove(ticket)) {
            return false;
        }
        waitingCount--;
        if (line.isEmpty()) {
            waiting.remove(ticket.user.tenant());
        }
        return true;
    }
}
