// SPDX-License-Identifier: Apache-2.0
package rookery.room.redaction;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.event.Redaction;
import rookery.platform.sql.RequiredColumn;
import rookery.room.authorization.MemberHistory;
import rookery.room.table.StoredEvent;

/**
 * Hides messages of deactivated users who asked for erasure (contract.md 5.3). A reader who was not in the room before
 * such a user left gets the user's events stripped at read time. Nothing is rewritten, so that members of that time still
 * see the events.
 */
@Component
public class ErasedSenders {
    private static final String FIND = """
            SELECT d.user_id, k.room_id,
                   (SELECT max(s.valid_from) FROM room.member_history s
                     WHERE s.tenant = d.tenant AND s.room_id = k.room_id AND s.user_id = d.user_id) AS gone
              FROM unnest(:rooms::text[], :senders::text[]) AS k (room_id, sender)
              JOIN room.departed d ON d.tenant = :tenant AND d.user_id = k.sender AND d.erased
            """;

    private final DatabaseClient db;

    ErasedSenders(DatabaseClient db) {
        this.db = db;
    }

    private record ErasedUser(UserId user, @Nullable Long pos) {}

    /** Events of one room, and the membership history of the reader. */
    public record EventsOfRoom(TenantRoom room, MemberHistory history, Collection<StoredEvent> events) {}

    /** The hidden senders of events of many rooms of one tenant, in one statement; rooms without hidden senders are absent. */
    public Mono<Map<TenantRoom, Set<UserId>>> among(List<EventsOfRoom> all) {
        var rooms = new ArrayList<String>();
        var senders = new ArrayList<String>();
        for (var page : all) {
            var distinct = page.events.stream()
                    .map(event -> event.event().meta().sender().value())
                    .distinct()
                    .toList();
            senders.addAll(distinct);
            rooms.addAll(Collections.nCopies(distinct.size(), page.room.room().value()));
        }
        if (senders.isEmpty()) {
            return Mono.just(Map.of());
        }
        return db.sql(FIND)
                .bind("tenant", all.getFirst().room.tenant())
                .bind("rooms", rooms.toArray(String[]::new))
                .bind("senders", senders.toArray(String[]::new))
                .map(row -> Map.entry(RequiredColumn.of(row, "room_id", String.class), erasedUser(row)))
                .all()
                .collectList()
                .map(rows -> hidden(rows, all));
    }

    private static Map<TenantRoom, Set<UserId>> hidden(
            List<Map.Entry<String, ErasedUser>> rows, List<EventsOfRoom> all) {
        var byRoom = rows.stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
        var hidden = new HashMap<TenantRoom, Set<UserId>>();
        for (var page : all) {
            var erased = byRoom.get(page.room.room().value());
            if (erased != null) {
                hidden.put(page.room, hidden(erased, page.history));
            }
        }
        return hidden;
    }

    /** The events for a reader with this history, stripped where the sender is hidden. */
    public Mono<List<StoredEvent>> stripped(TenantRoom room, MemberHistory history, List<StoredEvent> events) {
        return among(List.of(new EventsOfRoom(room, history, events)))
                .map(hidden -> stripped(events, hidden.getOrDefault(room, Set.of())));
    }

    /** The events, stripped where the sender is hidden. */
    public static List<StoredEvent> stripped(List<StoredEvent> events, Set<UserId> hidden) {
        return events.stream().map(event -> shown(event, hidden)).toList();
    }

    /** The event, stripped if its sender is hidden. */
    public static StoredEvent shown(StoredEvent event, Set<UserId> hidden) {
        return isHidden(event, hidden) ? event.with(Redaction.hidden(event.event())) : event;
    }

    /** Messages and the sender's own membership are hidden; other state belongs to the room. */
    private static boolean isHidden(StoredEvent event, Set<UserId> hidden) {
        var meta = event.event().meta();
        boolean theirs =
                meta.stateKey() == null || meta.stateKey().equals(meta.sender().value());
        return theirs && hidden.contains(meta.sender());
    }

    private static Set<UserId> hidden(List<ErasedUser> erased, MemberHistory history) {
        return erased.stream()
                .filter(user -> user.pos == null || !history.wasJoinedBy(user.pos))
                .map(ErasedUser::user)
                .collect(Collectors.toSet());
    }

    private static ErasedUser erasedUser(Readable row) {
        return new ErasedUser(RequiredColumn.of(row, "user_id", UserId.class), row.get("gone", Long.class));
    }
}
