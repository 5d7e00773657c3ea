// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.push.delivery.Lanes.Place;

/**
 * Sends due units, each the push of one event to one pusher, while the service runs. Several instances can work concurrently,
 * because a claim is exclusive; after a crash a claimed unit is due again five minutes after the claim ({@link UnitQueue}).
 *
 * <p>Units claimed together for one pusher and room are sent in the order of their events, all others concurrently. On shutdown,
 * started attempts are completed; otherwise their pushes would be sent twice.
 */
@Component
class DeliveryWorker implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(DeliveryWorker.class);

    private static final Duration TICK = Duration.ofMillis(20);
    /**
     * The ticks between two looks while units wait for the pace of their tenant. Looks for new units of others are not more frequent
     * then, because each look passes the queue of that tenant.
     */
    private static final long PACE_TICKS = 4;

    private final UnitQueue queue;
    private final DeferredEvents deferred;
    private final Attempts attempts;
    private final Badge badge;
    private final Lanes lanes;
    private final PollSignal pollSignal;
    private final DeliveryProperties properties;
    private final AtomicReference<@Nullable Runnable> afterLast = new AtomicReference<>();
    private final AtomicInteger unfinished = new AtomicInteger();
    private volatile boolean running;
    /** The last lane of the last page; null to begin at the first. */
    private volatile @Nullable Lane lastLane;
    /** Whether the last look found units or events that wait for the pace of their tenant. */
    private volatile boolean paced;

    DeliveryWorker(
            UnitQueue queue,
            DeferredEvents deferred,
            Attempts attempts,
            Badge badge,
            Lanes lanes,
            PollSignal pollSignal,
            DeliveryProperties properties) {
        this.queue = queue;
        this.deferred = deferred;
        this.attempts = attempts;
        this.badge = badge;
        this.lanes = lanes;
        this.pollSignal = pollSignal;
        this.properties = properties;
    }

    /** A unit with its place in a lane. */
    private record PlacedUnit(DueUnit unit, Place place) {}

    /**
     * Started once, runs until shutdown. The limit here counts lanes of a claim; the places in {@link Lanes} limit the requests.
     */
    @Scheduled(initialDelay = 0)
    Flux<Void> work() {
        long usual = Math.max(1, properties.pollInterval().dividedBy(TICK));
        return Flux.interval(TICK)
                .onBackpressureDrop()
                .filter(tick -> paced ? tick % PACE_TICKS == 0 : pollSignal.isNow() || tick % usual == 0)
                .concatMap(_ -> round().concatWith(Mono.defer(this::released)), 1)
                .flatMap(this::begun, properties.maxInFlight());
    }

    /** Claims due units within the free places, grouped by lane. */
    private Flux<List<PlacedUnit>> round() {
        return queue.lanes(lastLane)
                .map(this::places)
                .filter(places -> !places.isEmpty())
                .flatMap(this::taken)
                .flatMapIterable(DeliveryWorker::byLane)
                .onErrorResume(DeliveryWorker::postponed);
    }

    /** After a round: a tenant has tokens left if its due units are claimed, or wait for their gateways. */
    private <T> Mono<T> released() {
        return running
                ? deferred.release()
                        .doOnSuccess(_ -> paced = paced || deferred.anyWaiting())
                        .then(Mono.empty())
                : Mono.empty();
    }

    private Map<Lane, List<Place>> places(UnitQueue.DueLanes due) {
        lastLane = due.next();
        if (!running) {
            return Map.of();
        }
        var places = lanes.take(due.lanes(), properties.maxInFlightOfGateway());
        paced = lanes.anyWaitsForPace(due.lanes());
        return places;
    }

    private Mono<List<PlacedUnit>> taken(Map<Lane, List<Place>> places) {
        var most = new LinkedHashMap<Lane, Integer>();
        places.forEach((lane, ofLane) -> most.put(lane, ofLane.size()));
        return queue.take(most)
                .map(units -> placed(units, places))
                .doOnError(_ -> places.values().forEach(this::giveBack));
    }

    private List<PlacedUnit> placed(List<DueUnit> units, Map<Lane, List<Place>> places) {
        var free = new LinkedHashMap<Lane, Queue<Place>>();
        places.forEach((lane, ofLane) -> free.put(lane, new ArrayDeque<>(ofLane)));
        var placed = new ArrayList<PlacedUnit>();
        for (var unit : units) {
            var ofLane = free.get(unit.lane());
            var place = ofLane == null ? null : ofLane.poll();
            if (place == null) {
                throw new IllegalStateException("more units were claimed than requested");
            }
            placed.add(new PlacedUnit(unit, place));
        }
        free.values().forEach(this::giveBack);
        if (!placed.isEmpty()) {
            pollSignal.onceMore();
        }
        return placed;
    }

    private void giveBack(Collection<Place> places) {
        places.forEach(lanes::giveBack);
    }

    private static Collection<List<PlacedUnit>> byLane(List<PlacedUnit> units) {
        return grouped(units, DueUnit::lane);
    }

    private static Collection<List<PlacedUnit>> byPusherAndRoom(List<PlacedUnit> units) {
        record PusherInRoom(long pusher, RoomId room) {}
        return grouped(units, unit -> new PusherInRoom(unit.pusher(), unit.room()));
    }

    private static <K> Collection<List<PlacedUnit>> grouped(List<PlacedUnit> units, Function<DueUnit, K> key) {
        var groups = new LinkedHashMap<K, List<PlacedUnit>>();
        units.forEach(placed -> groups.computeIfAbsent(key.apply(placed.unit), _ -> new ArrayList<>())
                .add(placed));
        return groups.values();
    }

    private static <T> Mono<T> postponed(Throwable failure) {
        log.atWarn().addKeyValue("cause", failure.toString()).log("due pushes wait for the next try");
        return Mono.empty();
    }

    /** Cached, so the attempts continue after the subscriber is cancelled. */
    private Mono<Void> begun(List<PlacedUnit> ofLane) {
        unfinished.addAndGet(ofLane.size());
        return unread(ofLane)
                .flatMapMany(unread -> Flux.fromIterable(byPusherAndRoom(ofLane))
                        .flatMap(inOrder -> Flux.fromIterable(inOrder)
                                .concatMap(placed -> attempted(placed, unread.get(placed.unit.user())))))
                .then()
                .cache();
    }

    /** The badge counts of the users; empty if they cannot be read, because a push without count is better than no push. */
    private Mono<Map<UserId, Integer>> unread(List<PlacedUnit> ofLane) {
        var users = new LinkedHashSet<UserId>();
        ofLane.stream()
                .map(PlacedUnit::unit)
                .filter(unit -> unit.target() != null)
                .forEach(unit -> users.add(unit.user()));
        return users.isEmpty()
                ? Mono.just(Map.of())
                : badge.of(ofLane.getFirst().unit.tenant(), users).onErrorReturn(Map.of());
    }

    /** During shutdown, an unstarted unit is released for other instances. */
    private Mono<Void> attempted(PlacedUnit placed, @Nullable Integer unread) {
        var attempt = running
                ? attempts.make(placed.unit, unread)
                : queue.putBack(placed.unit).<Boolean>then(Mono.empty());
        return attempt.onErrorResume(DeliveryWorker::postponed)
                .doOnSuccess(accepted -> ended(placed.place, accepted))
                .then();
    }

    /** @param accepted null without a request, which says nothing about the gateway */
    private void ended(Place place, @Nullable Boolean accepted) {
        if (accepted == null) {
            lanes.giveBack(place);
        } else {
            lanes.ended(place, accepted);
        }
        unfinished.decrementAndGet();
        pollSignal.onceMore(); // a place has become free
        endIfIdle();
    }

    private void endIfIdle() {
        if (!running && unfinished.get() == 0) {
            var callback = afterLast.getAndSet(null);
            if (callback != null) {
                callback.run();
            }
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    /** Completes after the started attempts; Spring's shutdown timeout limits the wait. */
    @Override
    public void stop(Runnable callback) {
        running = false;
        afterLast.set(callback);
        endIfIdle();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
