// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;

/**
 * Limits the bytes of all responses in memory, in total and for one user (design.md 12, Memory). Without the limit, a hundred
 * large reads at once or a few large responses to slow clients fill the heap.
 *
 * <p>The last quarter of the budget is for small responses, so that large responses on slow connections do not block all syncs.
 * One user has a quarter of the budget; a user's only response may exceed the quarter, because it could otherwise never be sent.
 */
public final class AnswerBudget {
    private static final int SHARE_OF_HEAP = 8;
    private static final int SHARE_OF_USER = 4;
    private static final int SHARE_OF_SMALL = 4;
    private static final long SMALL_BYTES_MAX = 64 * 1024;
    /** One budget for the process: in deploy/run all services share a heap. */
    private static final AnswerBudget OF_PROCESS =
            new AnswerBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

    private final long bytesMax;
    private final long largeBytesMax;
    private final long userBytesMax;
    private final Map<Object, Long> byUser = new HashMap<>();
    private long bytes;

    /** @param bytesMax bytes of all responses together */
    AnswerBudget(long bytesMax) {
        this.bytesMax = bytesMax;
        this.largeBytesMax = bytesMax - bytesMax / SHARE_OF_SMALL;
        this.userBytesMax = bytesMax / SHARE_OF_USER;
    }

    static AnswerBudget ofProcess() {
        return OF_PROCESS;
    }

    /** @param user the user, or null for another service, which reads for many users */
    AnswerReservation reservation(@Nullable Object user) {
        return new AnswerReservation(this, user);
    }

    /**
     * Adds bytes to the reservation of the request in the Reactor context; an {@link ApiException} with status 503 if there is no
     * room. Work without a request, such as following a log, has limits of its own and reserves nothing.
     *
     * <p>Call this directly after rows are read, with the size of their text and of its encoded bytes together: before the first
     * row the size is unknown, and the connection pool limits the number of concurrent reads.
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
     * @return false if there is no room
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

    /** The most bytes reserved for an indivisible part of a response, so that one such part fits, with room beside it. */
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

    synchronized long reservedBytes() {
        return bytes;
    }
}
