// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Paths;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/**
 * The syncs of one device: a chain of syncs, and beside it aborted requests, requests with old tokens, initial syncs, and
 * requests to other nodes.
 */
final class Listener implements Runnable {
    static final int LAST_POLL_MILLIS = 15_000;

    private static final int[] TIMEOUTS = {0, 0, 50, 200, 600};
    private static final int PAUSE_MILLIS_MAX = 30;
    private static final int HANG_UP_BYTES = 2_000;
    private static final int QUIET_ENOUGH = 2;
    private static final int SETTLING_MILLIS = 500;
    private static final int DRAINS_MAX = 60;
    private static final int PAGES_MAX = 1_000;

    private final Person me;
    private final List<String> users;
    private final InstanceAccess access;
    private final KnownEvents knownEvents;
    private final History history;
    private final RandomGenerator random;
    private final Phases phases;
    private final Stage stage;
    private final Retries retries;
    private final String chain;
    private final Filter filter;
    private final boolean stateAfter;
    private final int home;
    private final List<String> tokens = new ArrayList<>();
    /** The last section of each joined room in the chain. */
    private final Map<String, JsonNode> latest = new HashMap<>();
    /** Rooms with typing users, by the chain. */
    private final Set<String> typedIn = new HashSet<>();

    private List<Exchange> ends = List.of();

    private @Nullable String since;
    private volatile boolean closing;

    Listener(
            Person me,
            List<String> users,
            KnownEvents knownEvents,
            History history,
            RandomGenerator random,
            Phases phases,
            Stage stage) {
        this.me = me;
        this.users = users;
        this.access = stage.access();
        this.knownEvents = knownEvents;
        this.history = history;
        this.random = random;
        this.phases = phases;
        this.stage = stage;
        this.retries = new Retries(stage, history);
        this.chain = me.toString();
        this.filter = random.nextInt(4) > 0 ? Filter.wide(random) : Filter.any(random, users, List.of());
        this.stateAfter = random.nextInt(3) == 0;
        this.home = random.nextInt(access.count(InstanceAccess.SYNC));
    }

    /** Ends the chain after the next poll, except for the final syncs. */
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
            catchUp();
            phases.parked().countDown();
            follow(LAST_POLL_MILLIS, false);
            phases.lastAction().await();
            catchUp();
            end();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            phases.ready().countDown();
            phases.parked().countDown();
        }
    }

    /** Records an initial sync from every node. */
    private void end() {
        var initial = new ArrayList<Exchange>();
        for (int node = 0; node < access.count(InstanceAccess.SYNC); node++) {
            var exchange = ask("", SyncRequest.initial(filter, stateAfter, node));
            if (exchange != null) {
                initial.add(exchange);
            }
        }
        ends = List.copyOf(initial);
        history.ended(chain, ends);
    }

    /**
     * Repeats syncs until the counts are right on all nodes and no user types: push-service applies a changed ignore list with a
     * delay, and typing travels outside of the log.
     */
    void settle(Evidence evidence, Deadline deadline) {
        while (!isSettled(evidence) && !deadline.passed()) {
            follow(SETTLING_MILLIS, false);
            catchUp();
            end();
        }
    }

    /**
     * With a narrow filter, events outside of the filter advance the token without a section (contract.md 10.7), so only the
     * final syncs are checked.
     */
    private boolean isSettled(Evidence evidence) {
        return hasRightCounts(evidence) && (stage.faults() || nobodyTypes());
    }

    private boolean hasRightCounts(Evidence evidence) {
        boolean right = true;
        for (var story : evidence.stories().values()) {
            var expected = new Unread(evidence, story, me.id()).counts(Unread.Moment.end(Long.MAX_VALUE));
            if (expected != null) {
                for (var exchange : ends) {
                    right &= isRight(expected, exchange.rooms("join").get(story.room()));
                }
                right &= !filter.isWide() || isRight(expected, latest.get(story.room()));
            }
        }
        return right;
    }

    private boolean nobodyTypes() {
        return (!filter.isWide() || typedIn.isEmpty())
                && ends.stream()
                        .flatMap(end -> end.rooms("join").valueStream())
                        .map(Listener::typists)
                        .allMatch(typists -> typists == null || typists.isEmpty());
    }

    /** The typing users of a room's section; null without such an event. */
    private static @Nullable JsonNode typists(JsonNode room) {
        for (var event : room.path("ephemeral").path("events")) {
            if (event.path("type").asString("").equals("m.typing")) {
                return event.path("content").path("user_ids");
            }
        }
        return null;
    }

    /** Whether the counts are right; true for a room without a section. */
    private boolean isRight(Map<String, Unread.Range> expected, @Nullable JsonNode room) {
        return room == null || UnreadCheck.wrong(expected, room, filter.byThread()) == null;
    }

    private void turn() {
        int dice = random.nextInt(20);
        if (dice < 14) {
            follow(TIMEOUTS[random.nextInt(TIMEOUTS.length)], random.nextInt(20) == 0);
        } else if (dice < 16) {
            var request = new SyncRequest(
                    since, TIMEOUTS[random.nextInt(TIMEOUTS.length)], filter, false, stateAfter, node());
            access.hangUp(me, InstanceAccess.SYNC, request.node(), request.path(), random.nextInt(HANG_UP_BYTES));
        } else if (dice < 19) {
            ask(
                    "",
                    new SyncRequest(
                            tokens.get(random.nextInt(tokens.size())),
                            TIMEOUTS[random.nextInt(3)],
                            otherFilter(),
                            random.nextInt(10) == 0,
                            random.nextBoolean(),
                            node()));
        } else {
            ask("", SyncRequest.initial(otherFilter(), random.nextBoolean(), node()));
        }
    }

    private Filter otherFilter() {
        return random.nextBoolean() ? filter : Filter.any(random, users, knownEvents.rooms());
    }

    private int node() {
        return random.nextInt(3) > 0 ? home : random.nextInt(access.count(InstanceAccess.SYNC));
    }

    /** Sends the next sync of the chain. */
    private @Nullable Exchange follow(int timeoutMillis, boolean fullState) {
        var request = new SyncRequest(since, timeoutMillis, filter, fullState, stateAfter, node());
        var exchange = ask(chain, request);
        if (exchange != null) {
            since = exchange.next();
            tokens.add(exchange.next());
            remember(exchange);
            if (filter.isWide()) {
                closeGaps(exchange);
            }
        }
        return exchange;
    }

    private void remember(Exchange exchange) {
        for (var section : ExpectedSection.Section.values()) {
            for (var room : exchange.rooms(section.word).properties()) {
                latest.remove(room.getKey());
                if (section == ExpectedSection.Section.JOIN) {
                    latest.put(room.getKey(), room.getValue());
                    rememberTyping(room.getKey(), room.getValue());
                } else {
                    typedIn.remove(room.getKey());
                }
            }
        }
    }

    private void rememberTyping(String id, JsonNode room) {
        var typists = typists(room);
        if (typists != null && typists.isEmpty()) {
            typedIn.remove(id);
        } else if (typists != null) {
            typedIn.add(id);
        }
    }

    /** Syncs until consecutive responses of random nodes are empty. */
    private void catchUp() {
        int quiet = 0;
        for (int i = 0; i < DRAINS_MAX && quiet < QUIET_ENOUGH; i++) {
            var exchange = follow(0, false);
            boolean isQuiet = exchange != null
                    && exchange.answer().path("rooms").valueStream().allMatch(JsonNode::isEmpty);
            quiet = isQuiet ? quiet + 1 : 0;
        }
    }

    private @Nullable Exchange ask(String chain, SyncRequest request) {
        var startNanos = new AtomicLong();
        var reply = retries.first(
                () -> {
                    startNanos.set(System.nanoTime());
                    return access.call(me, InstanceAccess.SYNC, request.node(), "GET", request.path(), null);
                },
                "%s at node %d, asking for %s,".formatted(me, request.node(), request.words()));
        if (reply == null) {
            return null;
        }
        var exchange = Exchange.of(me, chain, request, reply, startNanos.get());
        history.exchanged(exchange);
        return exchange;
    }

    private void closeGaps(Exchange exchange) {
        for (var section : List.of("join", "leave")) {
            for (var room : exchange.rooms(section).properties()) {
                var timeline = room.getValue().path("timeline");
                if (timeline.path("limited").asBoolean(false)) {
                    page(
                            room.getKey(),
                            timeline.path("prev_batch").asString(""),
                            exchange.request().since());
                }
            }
        }
    }

    /** Pages back to the previous token of the chain, or to the beginning of the room. */
    private void page(String room, String from, @Nullable String to) {
        long startNanos = System.nanoTime();
        var events = new ArrayList<JsonNode>();
        int size = 1 + random.nextInt(20);
        var place = from;
        for (int page = 0; page < PAGES_MAX; page++) {
            var path = "/messages?dir=b&limit=" + size + "&from=" + Paths.encoded(place)
                    + (to == null ? "" : "&to=" + Paths.encoded(to));
            var reply = access.call(
                    me,
                    InstanceAccess.ROOM,
                    random.nextInt(access.count(InstanceAccess.ROOM)),
                    "GET",
                    Paths.room(room, path),
                    null);
            if (retries.isExcused(reply)) {
                Retries.pause();
                continue;
            }
            if (!reply.isOk()) {
                history.trouble("%s asked %s and got %s".formatted(me, path, reply));
                return;
            }
            reply.json().path("chunk").forEach(events::add);
            if (!reply.json().has("end")) {
                Collections.reverse(events);
                history.paged(new GapPages(me, chain, room, from, to, events, startNanos));
                return;
            }
            place = reply.json().path("end").asString();
        }
        history.trouble("%s paged back in %s without end".formatted(me, room));
    }
}
