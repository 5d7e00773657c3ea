// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.netty.Connection;
import reactor.util.context.ContextView;
import rookery.model.error.ApiException;

/**
 * The bytes of the {@link AnswerBudget} that one request has reserved, until the socket has taken the last byte of the response
 * or the connection is closed.
 */
public final class AnswerReservation {
    private static final String ATTRIBUTE = AnswerReservation.class.getName();

    private final AnswerBudget budget;
    private final @Nullable Object user;
    private long bytes;
    private boolean beyondAll;
    private boolean ended;
    private Runnable unwatch = () -> {};
    private @Nullable Connection connection;

    AnswerReservation(AnswerBudget budget, @Nullable Object user) {
        this.budget = budget;
        this.user = user;
    }

    /** Returns the reservation of a request that has passed {@link CallerFilter}. */
    public static AnswerReservation of(ServerWebExchange exchange) {
        return exchange.getRequiredAttribute(ATTRIBUTE);
    }

    /** Returns the reservation of the request in the Reactor context, or an unlimited one without a request. */
    public static AnswerReservation of(ContextView context) {
        AnswerReservation own = context.getOrDefault(AnswerReservation.class, null);
        return own == null ? unbounded() : own;
    }

    /** Returns a reservation for work without a waiting client. */
    public static AnswerReservation unbounded() {
        return new AnswerBudget(Long.MAX_VALUE).reservation(null);
    }

    /** Creates the reservation of a request, which ends with its connection at the latest. */
    static AnswerReservation begin(ServerWebExchange exchange, AnswerBudget budget, @Nullable Object user) {
        var reservation = new AnswerReservation(budget, user);
        if (ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest()) instanceof Connection connection) {
            reservation.connection = connection;
        }
        exchange.getAttributes().put(ATTRIBUTE, reservation);
        return reservation;
    }

    /** Takes more bytes; an {@link ApiException} with status 503 if there is no room, or if the client is gone. */
    public void grow(long more) {
        if (!taken(more)) {
            throw ApiException.unavailable("too many large answers are under way, try again in a moment");
        }
    }

    /** Ensures a total of reserved bytes, for a response in parts of which each is sent before the next is built. */
    public void atLeast(long all) {
        long missing = all - bytes();
        if (missing > 0) {
            grow(missing);
        }
    }

    /**
     * Like {@link #atLeast}, for an indivisible part such as the state of one room: reserves at most half of the budget, because
     * the part could not be sent otherwise.
     */
    public void atLeastOfPart(long all) {
        atLeast(Math.min(all, budget.partBytesMax()));
    }

    private synchronized boolean taken(long more) {
        if (more == 0) {
            return !ended; // no bytes to return, so no reason to watch the connection
        }
        beyondAll |= budget.isBeyondAll(bytes + more);
        if (ended || !budget.take(user, bytes, more)) {
            return false;
        }
        boolean first = bytes == 0;
        bytes += more;
        if (first) {
            watch();
        }
        return true;
    }

    /** If the client is gone before the first byte is written, no other signal ends the request (decision 0019). */
    private void watch() {
        if (connection != null) {
            var closed = connection.channel().closeFuture();
            ChannelFutureListener end = _ -> end();
            closed.addListener(end);
            unwatch = () -> closed.removeListener(end);
        }
    }

    public synchronized long bytes() {
        return bytes;
    }

    /** Whether the request exceeds the whole budget, so that a retry is useless. */
    public synchronized boolean isBeyondAll() {
        return beyondAll;
    }

    /** Returns all bytes while the request continues, as when a long poll goes on waiting. */
    public synchronized void clear() {
        unwatch.run();
        unwatch = () -> {};
        budget.giveBack(user, bytes);
        bytes = 0;
    }

    synchronized void end() {
        ended = true;
        clear();
    }
}
