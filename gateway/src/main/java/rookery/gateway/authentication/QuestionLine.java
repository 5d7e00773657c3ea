// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;
import rookery.platform.runtime.Turns;

/**
 * Limits the concurrent token look-ups at auth-service and queues a bounded number of further look-ups for a bounded time. Excess
 * look-ups fail with 503. Only new requests are affected, because a token is looked up once on admission and never again while a
 * poll is parked.
 */
final class QuestionLine {
    private final int atOnce;
    private final int waitingMax;
    private final Duration waitMax;
    private final SequencedSet<Ticket> waiting = new LinkedHashSet<>();
    private final Turns turns = new Turns();
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
            turns.emit(next.call);
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
