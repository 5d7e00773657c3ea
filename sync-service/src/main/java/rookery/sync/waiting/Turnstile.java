package rookery.sync.waiting;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;

/** Lets a few pieces of work run at a time, lets some more wait for their turn, and tells the rest to come back. */
public final class Turnstile {
    private final int atOnce;
    private final int waitingMax;
    private final Set<Ticket> waiting = new LinkedHashSet<>();
    private int running;

    private static final class Ticket {
        final Sinks.Empty<Void> turn = Sinks.empty();
    }

    public Turnstile(int atOnce, int waitingMax) {
        this.atOnce = atOnce;
        this.waitingMax = waitingMax;
    }

    /** The work, in its turn; 503 when too many wait already. */
    public <T> Mono<T> pass(Mono<T> work) {
        return Mono.using(this::enter, ticket -> ticket.turn.asMono().then(work), this::leave);
    }

    /** The same for work with many results: it takes part until its end. */
    public <T> Flux<T> passAll(Flux<T> work) {
        return Flux.using(this::enter, ticket -> ticket.turn.asMono().thenMany(work), this::leave);
    }

    private synchronized Ticket enter() {
        var ticket = new Ticket();
        if (running < atOnce) {
            running++;
            ticket.turn.tryEmitEmpty();
        } else if (waiting.size() < waitingMax) {
            waiting.add(ticket);
        } else {
            throw ApiException.unavailable("too many clients are catching up, try again in a moment");
        }
        return ticket;
    }

    private void leave(Ticket ticket) {
        var next = next(ticket);
        if (next != null) {
            next.turn.tryEmitEmpty();
        }
    }

    private synchronized @Nullable Ticket next(Ticket left) {
        if (waiting.remove(left)) {
            return null; // it gave up before its turn
        }
        var tickets = waiting.iterator();
        if (!tickets.hasNext()) {
            running--;
            return null;
        }
        var next = tickets.next();
        tickets.remove();
        return next;
    }
}
