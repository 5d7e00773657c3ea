package rookery.e2e.model;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What the clients of one conversation did and were told. */
final class History {
    private final Queue<Action> acts = new ConcurrentLinkedQueue<>();
    private final Queue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
    private final Queue<GapPages> pages = new ConcurrentLinkedQueue<>();
    private final Map<String, List<Exchange>> ends = new ConcurrentHashMap<>();
    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger busy = new AtomicInteger();
    private volatile Duration settledAfter = Duration.ZERO;

    void did(Action act) {
        acts.add(act);
    }

    void told(Exchange exchange) {
        exchanges.add(exchange);
    }

    void paged(GapPages paged) {
        pages.add(paged);
    }

    /** What all nodes told of everything once nothing happened any more; it replaces what they told before. */
    void ended(String chain, List<Exchange> initial) {
        ends.put(chain, List.copyOf(initial));
    }

    /** The server was too busy for something. */
    void foundBusy() {
        busy.incrementAndGet();
    }

    int busy() {
        return busy.get();
    }

    /** How long it took, after all had happened, until everybody was told the final counts. */
    void settledAfter(Duration time) {
        settledAfter = time;
    }

    Duration settledAfter() {
        return settledAfter;
    }

    /** Something that must not happen whatever the order of events. */
    void trouble(String what) {
        troubles.add(what);
    }

    List<Action> acts() {
        return List.copyOf(acts);
    }

    List<Exchange> exchanges() {
        return List.copyOf(exchanges);
    }

    List<GapPages> pages() {
        return List.copyOf(pages);
    }

    List<Exchange> ends(String chain) {
        return ends.getOrDefault(chain, List.of());
    }

    List<String> troubles() {
        return List.copyOf(troubles);
    }
}
