// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The record of all clients of a conversation. */
final class History {
    private final Queue<Action> acts = new ConcurrentLinkedQueue<>();
    private final Queue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
    private final Queue<SlidingExchange> slidingExchanges = new ConcurrentLinkedQueue<>();
    private final Queue<GapPages> pages = new ConcurrentLinkedQueue<>();
    private final Map<String, List<Exchange>> ends = new ConcurrentHashMap<>();
    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger busy = new AtomicInteger();
    private volatile Duration settledAfter = Duration.ZERO;

    void did(Action act) {
        acts.add(act);
    }

    void exchanged(Exchange exchange) {
        exchanges.add(exchange);
    }

    void slid(SlidingExchange exchange) {
        slidingExchanges.add(exchange);
    }

    void paged(GapPages paged) {
        pages.add(paged);
    }

    /** Records the final initial syncs of all nodes, replacing those of an earlier attempt. */
    void ended(String chain, List<Exchange> initial) {
        ends.put(chain, List.copyOf(initial));
    }

    /** Records a refusal because of overload. */
    void foundBusy() {
        busy.incrementAndGet();
    }

    int busy() {
        return busy.get();
    }

    /** The time from the last action until all counts were final. */
    void settledAfter(Duration time) {
        settledAfter = time;
    }

    Duration settledAfter() {
        return settledAfter;
    }

    /** Records a failure that no order of events excuses. */
    void trouble(String description) {
        troubles.add(description);
    }

    List<Action> acts() {
        return List.copyOf(acts);
    }

    List<Exchange> exchanges() {
        return List.copyOf(exchanges);
    }

    List<SlidingExchange> slidingExchanges() {
        return List.copyOf(slidingExchanges);
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
