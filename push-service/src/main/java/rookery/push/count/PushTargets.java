// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.count.CohortNotifications.CohortNotification;
import rookery.push.count.Evaluation.Outcome;
import rookery.push.count.Exceptions.OwnVerdict;
import rookery.push.count.RoomNames.RoomNameRow;
import rookery.push.delivery.NewUnit;
import rookery.push.delivery.UnitEvent;

/** Determines the users to push to: of a cohort's members, only those with pushers are read. */
@Component
class PushTargets {
    private static final String OF_COHORTS = """
            SELECT k.ix, m.user_id
              FROM unnest(:tenants::int[], :rooms::text[], :cohorts::bigint[], :positions::bigint[], :senders::text[])
                   WITH ORDINALITY AS k (tenant, room_id, cohort, pos, sender, ix)
             CROSS JOIN LATERAL (
                   SELECT user_id FROM push.member m
                    WHERE m.tenant = k.tenant AND m.room_id = k.room_id AND m.cohort = k.cohort AND m.pushers
                      AND m.joined_pos < k.pos AND m.user_id <> k.sender OFFSET 0) m
             WHERE NOT EXISTS (SELECT 1 FROM push.ignored i
                                WHERE i.tenant = k.tenant AND i.user_id = m.user_id AND i.ignored = k.sender)
            """;

    private static final String IGNORING = """
            SELECT k.ix FROM unnest(:tenants::int[], :users::text[], :senders::text[])
                   WITH ORDINALITY AS k (tenant, user_id, sender, ix)
              JOIN push.ignored i ON i.tenant = k.tenant AND i.user_id = k.user_id AND i.ignored = k.sender
            """;

    private final DatabaseClient db;
    private final RoomNames names;

    PushTargets(DatabaseClient db, RoomNames names) {
        this.db = db;
        this.names = names;
    }

    private record Target(CohortNotification notification, UserId user) {}

    /** A push for each user to be notified of the batch's events. */
    Mono<List<NewUnit>> of(Outcome outcome) {
        if (outcome.notifications.isEmpty() && outcome.pushes.isEmpty()) {
            return Mono.just(List.of());
        }
        return ofCohorts(outcome.notifications.stream()
                        .filter(outcome.facts::hasPushers)
                        .toList())
                .flatMap(targets -> single(outcome.pushes).flatMap(single -> pushes(outcome, targets, single)));
    }

    private Mono<List<Target>> ofCohorts(List<CohortNotification> notification) {
        if (notification.isEmpty()) {
            return Mono.just(List.of());
        }
        return Columns.of(db.sql(OF_COHORTS), notification)
                .rooms(row -> row.event().room())
                .longs("cohorts", CohortNotification::cohort)
                .longs("positions", row -> row.event().pos())
                .texts("senders", row -> row.event().meta().sender().value())
                .statement()
                .map(row -> new Target(
                        notification.get(
                                RequiredColumn.of(row, "ix", Long.class).intValue() - 1),
                        RequiredColumn.of(row, "user_id", UserId.class)))
                .all()
                .collectList();
    }

    /** Removes pushes to users who ignore the sender. */
    private Mono<List<OwnVerdict>> single(List<OwnVerdict> pushes) {
        if (pushes.isEmpty()) {
            return Mono.just(List.of());
        }
        return Columns.of(db.sql(IGNORING), pushes)
                .users(own -> new TenantUser(own.event().room().tenant(), own.user()))
                .texts("senders", own -> own.event().meta().sender().value())
                .statement()
                .map(row -> RequiredColumn.of(row, "ix", Long.class).intValue() - 1)
                .all()
                .collectList()
                .map(ignoring -> without(pushes, new HashSet<>(ignoring)));
    }

    private static List<OwnVerdict> without(List<OwnVerdict> pushes, Set<Integer> ignoring) {
        var rest = new ArrayList<OwnVerdict>();
        for (int i = 0; i < pushes.size(); i++) {
            if (!ignoring.contains(i)) {
                rest.add(pushes.get(i));
            }
        }
        return rest;
    }

    private Mono<List<NewUnit>> pushes(Outcome outcome, List<Target> targets, List<OwnVerdict> single) {
        var rooms = new HashSet<TenantRoom>();
        targets.forEach(target -> rooms.add(target.notification.event().room()));
        single.forEach(own -> rooms.add(own.event().room()));
        return rooms.isEmpty()
                ? Mono.just(List.of())
                : names.find(rooms).map(namesByRoom -> pushes(outcome, targets, single, namesByRoom));
    }

    private static List<NewUnit> pushes(
            Outcome outcome, List<Target> targets, List<OwnVerdict> single, Map<TenantRoom, RoomNameRow> namesByRoom) {
        var contents = new IdentityHashMap<LoggedEvent, UnitEvent>();
        var pushes = new ArrayList<NewUnit>();
        for (var target : targets) {
            var notification = target.notification;
            if (!outcome.judged.getOrDefault(notification.event(), Set.of()).contains(target.user)) {
                var content =
                        contents.computeIfAbsent(notification.event(), event -> content(outcome, event, namesByRoom));
                pushes.add(new NewUnit(content, target.user, notification.verdict()));
            }
        }
        for (var own : single) {
            var content = contents.computeIfAbsent(own.event(), event -> content(outcome, event, namesByRoom));
            pushes.add(new NewUnit(content, own.user(), own.verdict()));
        }
        return pushes;
    }

    private static UnitEvent content(Outcome outcome, LoggedEvent event, Map<TenantRoom, RoomNameRow> namesByRoom) {
        var meta = event.meta();
        var room = namesByRoom.get(event.room());
        return new UnitEvent(
                event.room().tenant(),
                event.room().room(),
                meta.eventId(),
                event.pos(),
                meta.ts(),
                meta.thread(),
                meta.type(),
                meta.stateKey(),
                meta.sender(),
                outcome.senders.get(event),
                room == null ? null : room.name(),
                room == null ? null : room.alias(),
                text(event));
    }

    private static String text(LoggedEvent event) {
        var content = event.content();
        return content.isObject() ? content.toString() : "{}";
    }
}
