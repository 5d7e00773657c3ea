// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sync;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.sync.inbox.Inboxes;
import rookery.sync.waiting.Wake;

/** The shutdown of this node: waiting requests are answered over some seconds, to spread the load. */
@Component
class NodeDrain {
    private final Inboxes inboxes;
    private final RandomGenerator random;
    private final WaitingProperties properties;
    private volatile boolean on;

    NodeDrain(Inboxes inboxes, RandomGenerator random, WaitingProperties properties) {
        this.inboxes = inboxes;
        this.random = random;
        this.properties = properties;
    }

    boolean isOn() {
        return on;
    }

    /** Completes after a random part of the drain time. */
    Mono<Long> turn() {
        return Mono.delay(
                Duration.ofMillis(random.nextLong(properties.drainSpread().toMillis() + 1)));
    }

    @EventListener
    void on(ContextClosedEvent closed) {
        on = true; // new requests see the flag, waiting requests are woken
        inboxes.all().forEach(inbox -> inbox.waiters().wake(Wake.SHUTDOWN));
    }
}
