// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Repeats requests of a conversation that the server could not answer for a reason that the stage excuses. */
record Retries(Stage stage, History history) {
    private static final int PAUSE_MILLIS = 200;

    /**
     * The first answer; null, with a trouble, after a refusal without excuse or too many excused ones.
     *
     * @param words the client and the request, for reports
     */
    @Nullable
    Reply first(Supplier<Reply> request, String words) {
        for (int i = 0; i < stage.retriesMax(); i++) {
            var reply = request.get();
            if (reply.isOk()) {
                return reply;
            }
            if (!isExcused(reply)) {
                history.trouble("%s got %s".formatted(words, reply));
                return null;
            }
            pause();
        }
        history.trouble("%s gave up".formatted(words));
        return null;
    }

    /** Whether the refusal is one of overload, or of a fault that the stage makes. */
    boolean isExcused(Reply reply) {
        if (reply.isBusy()) {
            history.foundBusy();
        }
        return reply.isBusy() || (reply.isPassing() && stage.faults());
    }

    static void pause() {
        LockSupport.parkNanos(PAUSE_MILLIS * 1_000_000L);
    }
}
