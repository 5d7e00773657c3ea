// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.delivery.Lanes.Place;

/**
 * Sends badge counts that changed without a push, because the user has read on another device (contract.md 12.7).
 *
 * <p>Kept in memory only: the contract promises best effort, the next push contains the count anyway, and a row for each receipt
 * would cost more than all pushes. Counts for a gateway that cannot keep up are dropped.
 */
@Component
public class Badges {
    private static final Logger log = LoggerFactory.getLogger(Badges.class);
    private static final int WAITING_MAX = 10_000;
    private static final int AT_ONCE = 64;
    private static final int TRIES = 20;
    private static final Duration TICK = Duration.ofMillis(100);

    private static final String TARGETS = """
            SELECT p.id, p.tenant, p.user_id, p.gateway, p.app_id, p.pushkey, p.url, p.described, p.set_at
              FROM push.pusher p
              JOIN unnest(:tenants::int[], :users::text[]) AS u (tenant, user_id) USING (tenant, user_id)
             WHERE NOT EXISTS (SELECT
                                 FROM push.pause s
                                WHERE s.tenant = p.tenant AND s.user_id = p.user_id AND s.resumed_at IS NULL)
            """;

    /** In place of a count: the current count is read just before sending. */
    private static final int ASK = -1;

    private final DatabaseClient db;
    private final Badge badge;
    private final Attempts attempts;
    private final Lanes lanes;
    private final DeliveryProperties properties;
    private final Clock clock;
    private final Map<TenantUser, WaitingBadge> waiting = new ConcurrentHashMap<>();

    Badges(DatabaseClient db, Badge badge, Attempts attempts, Lanes lanes, DeliveryProperties properties, Clock clock) {
        this.db = db;
        this.badge = badge;
        this.attempts = attempts;
        this.lanes = lanes;
        this.properties = properties;
        this.clock = clock;
    }

    private record WaitingBadge(Instant due, int unread) {}

    private record Update(BadgeTarget target, int unread) {}

    /** Sends this count after {@code badge-delay}; the last of several changes wins. */
    public void changed(TenantId tenant, UserId user, int unread) {
        var owner = new TenantUser(tenant, user);
        if (waiting.size() < WAITING_MAX || waiting.containsKey(owner)) {
            var due = clock.instant().plus(properties.badgeDelay());
            waiting.merge(owner, new WaitingBadge(due, unread), (old, _) -> new WaitingBadge(old.due, unread));
        }
    }

    /** Sends the current count after {@code badge-delay}, read just before sending. */
    public void changed(TenantId tenant, UserId user) {
        changed(tenant, user, ASK);
    }

    /** Started once, runs until shutdown. */
    @Scheduled(initialDelay = 0)
    Flux<Void> work() {
        return Flux.interval(TICK)
                .onBackpressureDrop()
                .concatMap(_ -> updates(), 1)
                .flatMap(this::sent, AT_ONCE);
    }

    private Flux<Update> updates() {
        var due = due();
        return due.isEmpty()
                ? Flux.empty()
                : targets(due).flatMapIterable(targets -> targets).onErrorResume(Badges::dropped);
    }

    private Map<TenantUser, Integer> due() {
        var now = clock.instant();
        var due = new HashMap<TenantUser, Integer>();
        waiting.forEach((owner, waitingBadge) -> {
            if (!waitingBadge.due.isAfter(now) && waiting.remove(owner, waitingBadge)) {
                due.put(owner, waitingBadge.unread);
            }
        });
        return due;
    }

    private Mono<List<Update>> targets(Map<TenantUser, Integer> due) {
        return Columns.of(db.sql(TARGETS), due.keySet())
                .users(owner -> owner)
                .statement()
                .map(Badges::target)
                .all()
                .collectList()
                .map(targets -> updates(targets, due));
    }

    private static List<Update> updates(List<BadgeTarget> targets, Map<TenantUser, Integer> due) {
        var updates = new ArrayList<Update>();
        for (var target : targets) {
            var owner = new TenantUser(target.lane().tenant(), target.user());
            updates.add(new Update(target, Objects.requireNonNull(due.get(owner))));
        }
        return updates;
    }

    /**
     * Retries for two seconds to get a place: users have several devices behind one gateway, and an unproven gateway has only
     * one place.
     */
    private Mono<Void> sent(Update update) {
        return Mono.fromSupplier(() -> place(update.target.lane()))
                .repeatWhenEmpty(TRIES, tries -> tries.delayElements(TICK))
                .onErrorComplete(IllegalStateException.class)
                .flatMap(place -> sent(update, place));
    }

    private @Nullable Place place(Lane lane) {
        var places = lanes.take(List.of(lane), 1).get(lane);
        return places == null ? null : places.getFirst();
    }

    private Mono<Void> sent(Update update, Place place) {
        return number(update)
                .flatMap(unread -> attempts.makeBadge(update.target, unread))
                .onErrorResume(Badges::dropped)
                .defaultIfEmpty(false)
                .doOnNext(works -> lanes.ended(place, works))
                .then();
    }

    private Mono<Integer> number(Update update) {
        var user = update.target.user();
        return update.unread == ASK
                ? badge.of(update.target.lane().tenant(), List.of(user))
                        .map(counts -> Objects.requireNonNull(counts.get(user)))
                : Mono.just(update.unread);
    }

    private static <T> Mono<T> dropped(Throwable failure) {
        log.atWarn().addKeyValue("cause", failure.toString()).log("badges are not updated");
        return Mono.empty();
    }

    private static BadgeTarget target(Readable row) {
        return new BadgeTarget(
                new Lane(
                        RequiredColumn.of(row, "tenant", TenantId.class),
                        RequiredColumn.of(row, "gateway", String.class)),
                RequiredColumn.of(row, "user_id", UserId.class),
                new Target(
                        RequiredColumn.of(row, "id", Long.class),
                        RequiredColumn.of(row, "app_id", String.class),
                        RequiredColumn.of(row, "pushkey", String.class),
                        RequiredColumn.of(row, "url", String.class),
                        RequiredColumn.of(row, "described", String.class),
                        RequiredColumn.of(row, "set_at", Instant.class)));
    }
}
