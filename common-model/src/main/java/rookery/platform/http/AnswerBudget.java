package rookery.platform.http;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;

/**
 * Bounds the bytes of all answers that a process builds in memory, in sum and for one user (design.md 12, Memory). Without the bound a
 * hundred large reads at once, or some large answers that their clients do not read, fill the heap.
 *
 * <p>The last quarter of the budget is for small answers, so that large answers on slow connections do not stop everybody's syncs. One
 * user has a quarter of it; a user's only answer may be larger, since it could never be given otherwise.
 */
public final class AnswerBudget {
    private static final int SHARE_OF_HEAP = 8;
    private static final int SHARE_OF_USER = 4;
    private static final int SHARE_OF_SMALL = 4;
    private static final long SMALL_BYTES_MAX = 64 * 1024;
    /** One for the process: in deploy/run all services share a heap. */
    private static final AnswerBudget OF_PROCESS =
            new AnswerBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

    private final long bytesMax;
    private final long largeBytesMax;
    private final long userBytesMax;
    private final Map<Object, Long> byUser = new HashMap<>();
    private long bytes;

    /** @param bytesMax bytes of all answers together */
    AnswerBudget(long bytesMax) {
        this.bytesMax = bytesMax;
        this.largeBytesMax = bytesMax - bytesMax / SHARE_OF_SMALL;
        this.userBytesMax = bytesMax / SHARE_OF_USER;
    }

    static AnswerBudget ofProcess() {
        return OF_PROCESS;
    }

    /** @param user who counts as one user; null for another service, which asks for many users */
    AnswerReservation reservation(@Nullable Object user) {
        return new AnswerReservation(this, user);
    }

    /**
     * Adds bytes to what the request has reserved in whose Reactor context this is subscribed to; an {@link ApiException} with status 503
     * if there is no room. Work without a request, such as following a log, has bounds of its own and reserves nothing.
     *
     * <p>To be asked for right after rows were read, with what their text and its encoded bytes take together: before the first row
     * nobody knows, and how many requests read rows at the same time is bounded by the pool of connections.
     */
    public static Mono<Void> reserve(long bytes) {
        return Mono.deferContextual(context -> {
            AnswerReservation.of(context).grow(bytes);
            return Mono.empty();
        });
    }

    /**
     * Takes bytes for a request.
     *
     * @param before bytes that the same request has already
     * @return false if there is no room for them
     */
    synchronized boolean take(@Nullable Object user, long before, long more) {
        long most = before + more > SMALL_BYTES_MAX ? largeBytesMax : bytesMax;
        if (bytes + more > most) {
            return false;
        }
        if (user != null) {
            long ofUser = byUser.getOrDefault(user, 0L);
            if (ofUser + more > userBytesMax && ofUser > before) {
                return false;
            }
            byUser.put(user, ofUser + more);
        }
        bytes += more;
        return true;
    }

    /** The most that a part of an answer takes which cannot be made smaller, in bytes: one such part at a time, with room beside it. */
    long partBytesMax() {
        return bytesMax / 2;
    }

    boolean isBeyondAll(long bytesOfOne) {
        return bytesOfOne > largeBytesMax;
    }

    synchronized void giveBack(@Nullable Object user, long less) {
        bytes -= less;
        if (user != null) {
            byUser.computeIfPresent(user, (_, ofUser) -> ofUser == less ? null : ofUser - less);
        }
    }

    /** Bytes that are reserved now. */
    synchronized long reservedBytes() {
        return bytes;
    }
}
