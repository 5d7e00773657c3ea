// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A connection of sliding sync: with a window that grows and shrinks, subscriptions that come and go, answers that get lost, and
 * requests to other nodes.
 */
final class SlidingListener implements Runnable {
    private static final String PATH = "/v4/sync";
    private static final int[] TIMEOUTS = {0, 0, 50, 200, 600};
    private static final int[] LIMITS = {1, 1, 3, 10};
    private static final int ALL = 999;
    private static final int WINDOW_MAX = 4;
    private static final int PAUSE_MILLIS_MAX = 30;
    private static final int QUIET_ENOUGH = 2;
    private static final int DRAINS_MAX = 60;

    private final Person me;
    private final InstanceAccess access;
    private final KnownEvents knownEvents;
    private final History history;
    private final RandomGenerator random;
    private final Phases phases;
    private final Retries retries;
    private final String chain;
    private final boolean isLazy;
    private final Set<String> subscriptions = new HashSet<>();

    private int windowLast;
    private int timelineLimit = 1;
    private int subscriptionLimit = 1;
    private @Nullable String pos;
    private volatile boolean closing;

    SlidingListener(
            Person me,
            String connection,
            KnownEvents knownEvents,
            History history,
            RandomGenerator random,
            Phases phases,
            Stage stage) {
        this.me = me;
        this.access = stage.access();
        this.knownEvents = knownEvents;
        this.history = history;
        this.random = random;
        this.phases = phases;
        this.retries = new Retries(stage, history);
        this.chain = me + "/" + connection;
        this.isLazy = random.nextBoolean();
    }

    /** Ends the chain after the next poll, except for the final ones. */
    void close() {
        closing = true;
    }

    @Override
    public void run() {
        try {
            follow(0, false);
            phases.ready().countDown();
            while (!closing) {
                turn();
                LockSupport.parkNanos(random.nextInt(PAUSE_MILLIS_MAX + 1) * 1_000_000L);
            }
            phases.parked().countDown();
            phases.lastAction().await();
            windowLast = ALL;
            catchUp();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            phases.ready().countDown();
            phases.parked().countDown();
        }
    }

    private void turn() {
        switch (random.nextInt(8)) {
            case 0 -> windowLast = random.nextInt(WINDOW_MAX);
            case 1 -> windowLast = ALL;
            case 2 -> timelineLimit = LIMITS[random.nextInt(LIMITS.length)];
            case 3 -> {
                var room = knownEvents.room(random);
                if (room != null && !subscriptions.remove(room)) {
                    subscriptions.add(room);
                }
                subscriptionLimit = LIMITS[random.nextInt(LIMITS.length)];
            }
            case 4 -> ask(0); // an answer that gets lost
            default -> {}
        }
        follow(TIMEOUTS[random.nextInt(TIMEOUTS.length)], false);
    }

    /** Polls until consecutive answers of random nodes are empty. */
    private void catchUp() {
        int quiet = 0;
        for (int i = 0; i < DRAINS_MAX && quiet < QUIET_ENOUGH; i++) {
            var exchange = follow(0, true);
            quiet = exchange != null && exchange.answer().path("rooms").isEmpty() ? quiet + 1 : 0;
        }
    }

    private @Nullable SlidingExchange follow(int timeoutMillis, boolean isEnd) {
        var since = pos;
        int node = random.nextInt(access.count(InstanceAccess.SYNC));
        var reply = ask(timeoutMillis, node);
        if (reply == null) {
            return null;
        }
        var exchange = new SlidingExchange(
                me,
                chain,
                node,
                since,
                windowLast,
                timelineLimit,
                Set.copyOf(subscriptions),
                subscriptionLimit,
                isLazy,
                isEnd,
                reply.json());
        pos = exchange.pos();
        history.slid(exchange);
        return exchange;
    }

    private void ask(int timeoutMillis) {
        ask(timeoutMillis, random.nextInt(access.count(InstanceAccess.SYNC)));
    }

    private @Nullable Reply ask(int timeoutMillis, int node) {
        return retries.first(
                () -> access.call(me, InstanceAccess.SYNC, node, "POST", PATH, body(timeoutMillis)),
                "%s at node %d, asking from %s,".formatted(chain, node, pos));
    }

    private Map<String, Object> body(int timeoutMillis) {
        var state = Map.of("include", List.of(Map.of()), "lazy_members", isLazy);
        var list = Map.of("range", List.of(0, windowLast), "timeline_limit", timelineLimit, "required_state", state);
        var subscribed = new HashMap<String, Object>();
        subscriptions.forEach(
                room -> subscribed.put(room, Map.of("timeline_limit", subscriptionLimit, "required_state", state)));
        var body = new HashMap<String, Object>(Map.of(
                "conn_id",
                chain,
                "timeout",
                timeoutMillis,
                "lists",
                Map.of("all", list),
                "room_subscriptions",
                subscribed));
        if (pos != null) {
            body.put("pos", pos);
        }
        return body;
    }
}
