package rookery.gateway.authentication;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;

/**
 * Sends a few questions to auth-service at a time and lets some more wait for their turn, for a while. The others are 503: they are those
 * of requests that have just come, since a request that was let in is never asked about again, however long its poll is parked.
 */
final class QuestionLine {
    private static final Logger log = LoggerFactory.getLogger(QuestionLine.class);
    private final int atOnce;
    private final int waitingMax;
    private final Duration waitMax;
    private final SequencedSet<Ticket> waiting = new LinkedHashSet<>();
    /** Whose turn has come, and who are not told yet. */
    private final Queue<Ticket> called = new ConcurrentLinkedQueue<>();

    private final AtomicInteger calling = new AtomicInteger();
    private int running;

    QuestionLine(int atOnce, int waitingMax, Duration waitMax) {
        this.atOnce = atOnce;
        this.waitingMax = waitingMax;
        this.waitMax = waitMax;
    }

    /** The answer to a question, which is asked in its turn; 503 if too many wait already, or if its turn does not come in time. */
    <T> Mono<T> pass(Mono<T> question) {
        return Mono.using(this::enter, ticket -> ticket.turn.then(question), this::leave);
    }

    private synchronized Ticket enter() {
        if (running < atOnce) {
            running++;
            return new Ticket(Sinks.empty(), Mono.empty());
        }
        if (waiting.size() >= waitingMax) {
            throw full();
        }
        Sinks.Empty<Void> call = Sinks.empty();
        var ticket = new Ticket(call, call.asMono().timeout(waitMax).onErrorMap(TimeoutException.class, _ -> full()));
        waiting.add(ticket);
        return ticket;
    }

    private static ApiException full() {
        return ApiException.unavailable("too many access tokens are being checked, try again in a moment");
    }

    private void leave(Ticket ticket) {
        var next = next(ticket);
        if (next != null) {
            called.add(next);
            callAll();
        }
    }

    private synchronized @Nullable Ticket next(Ticket left) {
        if (waiting.remove(left)) {
            return null; // its turn did not come in time
        }
        if (waiting.isEmpty()) {
            running--;
            return null;
        }
        return waiting.removeFirst();
    }

    /** One after the other: a question that fails at once would call the next one from within, and a long line is deeper than a stack. */
    private void callAll() {
        if (calling.getAndIncrement() > 0) {
            return; // whoever calls just now calls this one too
        }
        do {
            var next = called.poll();
            if (next != null) {
                call(next);
            }
        } while (calling.decrementAndGet() > 0);
    }

    private static void call(Ticket ticket) {
        try {
            ticket.call.tryEmitEmpty();
        } catch (RuntimeException | Error e) {
            log.atError().setCause(e).log("a question could not begin"); // the others can
        }
    }

    /** A place in the line; a class, since each is only equal to itself. */
    private static final class Ticket {
        final Sinks.Empty<Void> call;
        final Mono<Void> turn;

        Ticket(Sinks.Empty<Void> call, Mono<Void> turn) {
            this.call = call;
            this.turn = turn;
        }
    }
}
