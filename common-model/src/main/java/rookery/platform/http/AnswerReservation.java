package rookery.platform.http;

import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.netty.Connection;
import reactor.util.context.ContextView;
import rookery.model.error.ApiException;

/**
 * Bytes of the {@link AnswerBudget} that one request has, until the socket has taken the last byte of the answer or the connection is
 * gone.
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

    /** The reservation of a request that {@link CallerFilter} has let in. */
    public static AnswerReservation of(ServerWebExchange exchange) {
        return exchange.getRequiredAttribute(ATTRIBUTE);
    }

    /** The reservation of the request in whose Reactor context something is subscribed to; one without bounds where there is none. */
    public static AnswerReservation of(ContextView context) {
        AnswerReservation own = context.getOrDefault(AnswerReservation.class, null);
        return own == null ? unbounded() : own;
    }

    /** For work that no client waits for. */
    public static AnswerReservation unbounded() {
        return new AnswerBudget(Long.MAX_VALUE).reservation(null);
    }

    /** Makes the reservation of a request, which ends at the latest with its connection. */
    static AnswerReservation begin(ServerWebExchange exchange, AnswerBudget budget, @Nullable Object user) {
        var reservation = new AnswerReservation(budget, user);
        if (ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest()) instanceof Connection connection) {
            reservation.connection = connection;
        }
        exchange.getAttributes().put(ATTRIBUTE, reservation);
        return reservation;
    }

    /** Takes more bytes; an {@link ApiException} with status 503 if there is no room, or nobody is there any more to read the answer. */
    public void grow(long more) {
        if (!taken(more)) {
            throw ApiException.unavailable("too many large answers are under way, try again in a moment");
        }
    }

    /** Sees to it that so many bytes are reserved; for an answer in parts, of which each is gone before the next one is made. */
    public void atLeast(long all) {
        long missing = all - bytes();
        if (missing > 0) {
            grow(missing);
        }
    }

    /** The same for a part that cannot be made smaller, such as the state of one room: it could never be told otherwise. */
    public void atLeastOfPart(long all) {
        atLeast(Math.min(all, budget.partBytesMax()));
    }

    private synchronized boolean taken(long more) {
        if (more == 0) {
            return !ended; // nothing to give back, so nothing to watch the connection for
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

    /** Where a client is gone before the first byte could be written, nothing else ends the request (decision 0019). */
    private void watch() {
        if (connection != null) {
            var closed = connection.channel().closeFuture();
            ChannelFutureListener end = _ -> end();
            closed.addListener(end);
            unwatch = () -> closed.removeListener(end);
        }
    }

    /** Bytes that are reserved now. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Whether more was asked for than there is for all answers together, so that it is useless to try again. */
    public synchronized boolean isBeyondAll() {
        return beyondAll;
    }

    /** Gives all back while the request goes on: what was read is not answered, as when a long poll waits on. */
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
