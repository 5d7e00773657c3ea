package rookery.sync.sync;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.sync.inbox.Inboxes;
import rookery.sync.waiting.Wake;

/** The end of this node: nobody waits any more, and the waiting leave one after the other, so that the next node is not stormed. */
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

    /** A moment somewhere in the time that the waiting take to leave. */
    Mono<Long> turn() {
        return Mono.delay(
                Duration.ofMillis(random.nextLong(properties.drainSpread().toMillis() + 1)));
    }

    @EventListener
    void on(ContextClosedEvent closed) {
        on = true; // whoever begins to wait later sees this, whoever waits already is woken
        inboxes.all().forEach(inbox -> inbox.waiters().wake(Wake.SHUTDOWN));
    }
}
