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
 * Limits the concurrent token look-ups at auth-service and queues a bounded number of further look-ups for a bounded time. Excess
 * look-ups fail with 503. Only new requests are affected, because a token is looked up once on admission and never again while a
 * poll is parked.
 */
final class QuestionLine {
    private static final Logger log = LoggerFactory.getLogger(QuestionLine.class);
    private final int atOnce;
    private final int waitingMax;
    private final Duration waitMax;
    private final SequencedSet<Ticket> waiting = new LinkedHashSet<>();
    /** Tickets whose turn has come, but whose signal has not been emitted yet. */
    private final Queue<Ticket> called = new ConcurrentLinkedQueue<>();

    private final AtomicInteger calling = new AtomicInteger();
    private int running;

    QuestionLine(int atOnce, int waitingMax, Duration waitMax) {
        this.atOnce = atOnce;
        this.waitingMax = waitingMax;
        this.waitMax = waitMax;
    }

    /** The result of the question, which is sent in its turn; 503 if the queue is full or the turn does not come in time. */
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
            return null; // the ticket timed out in the queue
        }
        if (waiting.isEmpty()) {
            running--;
            return null;
        }
        return waiting.removeFirst();
    }

    /**
     * Emits signals in a loop: a question that fails immediately would otherwise start the next question recursively, and a long
     * queue would overflow the stack.
     */
    private void callAll() {
        if (calling.getAndIncrement() > 0) {
            return; // the thread that is in the loop emits this signal too
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
            log.atError()
                    .setCause(e)
                    .log("an access token look-up could not start"); // the loop goes on with the other tickets
        }
    }

    /** A place in the queue; a class rather than a record, because equality is identity. */
    private static final class Ticket {
        final Sinks.Empty<Void> call;
        final Mono<Void> turn;

        Ticket(Sinks.Empty<Void> call, Mono<Void> turn) {
            this.call = call;
            this.turn = turn;
        }
    }
}
