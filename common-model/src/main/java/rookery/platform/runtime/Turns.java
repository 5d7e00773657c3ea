// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Sinks;

/**
 * Emits the turns of waiting work one after the other. Work that ends at once would otherwise start the next work from within,
 * and a long line is deeper than a stack.
 */
public final class Turns {
    private static final Logger log = LoggerFactory.getLogger(Turns.class);

    private final Queue<Sinks.Empty<Void>> due = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();

    /** Emits a turn, after the turn that another call is emitting. */
    public void emit(Sinks.Empty<Void> turn) {
        due.add(turn);
        if (pending.getAndIncrement() > 0) {
            return; // the other call emits this turn too
        }
        do {
            var next = due.poll();
            if (next != null) {
                emitNow(next);
            }
        } while (pending.decrementAndGet() > 0);
    }

    private static void emitNow(Sinks.Empty<Void> turn) {
        try {
            turn.tryEmitEmpty();
        } catch (RuntimeException | Error e) {
            log.atError().setCause(e).log("work could not begin in its turn"); // other work can
        }
    }
}
