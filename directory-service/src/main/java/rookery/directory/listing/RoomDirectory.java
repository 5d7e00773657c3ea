// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.directory.listing.RoomNews.Listed;
import rookery.directory.listing.RoomNews.Made;
import rookery.directory.listing.RoomNews.MemberSet;
import rookery.directory.listing.RoomNews.Purged;
import rookery.directory.listing.RoomNews.Redacted;
import rookery.directory.listing.RoomNews.StateSet;
import rookery.model.event.EventTypes;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.Portions;

/** Derives rooms and their members from entries of the room log. Applying an entry twice has no further effect. */
@Component
public class RoomDirectory {
    private static final String ENTER = """
            INSERT INTO directory.member (tenant, room_id, user_id)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :users::text[]) ON CONFLICT DO NOTHING
            """;

    private static final String LEAVE = """
            DELETE FROM directory.member m
             USING unnest(:tenants::int[], :rooms::text[], :users::text[]) AS k (tenant, room_id, user_id)
             WHERE m.tenant = k.tenant AND m.room_id = k.room_id AND m.user_id = k.user_id
            """;

    /** The types of state events that the directory reads. */
    public static final Set<String> SHOWN = ListedRoom.FIELDS.keySet();

    private static final String FORGET = """
            WITH members AS (DELETE FROM directory.member WHERE tenant = :tenant AND room_id = :room)
            DELETE FROM directory.room WHERE tenant = :tenant AND room_id = :room
            """;

    /** Concurrent readers see the old rows until the commit. */
    private static final String FORGET_ALL = """
            WITH members AS (DELETE FROM directory.member) DELETE FROM directory.room
            """;

    private final ListedRooms rooms;
    private final DatabaseClient db;

    RoomDirectory(ListedRooms rooms, DatabaseClient db) {
        this.rooms = rooms;
        this.db = db;
    }

    /** One entry of the room log. */
    public record RoomUpdate(TenantRoom room, RoomNews news) {}

    private record Member(TenantRoom room, UserId user) {}

    /** Applies the entries in their order. */
    public Mono<Void> take(List<RoomUpdate> updates) {
        var keys = updates.stream().map(RoomUpdate::room).distinct().toList();
        return rooms.all(keys).flatMap(loaded -> take(loaded, updates));
    }

    private Mono<Void> take(List<ListedRoom> loaded, List<RoomUpdate> updates) {
        var all = new LinkedHashMap<TenantRoom, ListedRoom>();
        loaded.forEach(room -> all.put(room.key(), room));
        var members = new LinkedHashMap<Member, Boolean>();
        var purged = new LinkedHashSet<TenantRoom>();
        for (var update : updates) {
            var room = all.computeIfAbsent(update.room, ListedRoom::new);
            switch (update.news) {
                case Made made -> room.set(EventTypes.CREATE, made.id(), made.content());
                case StateSet state -> room.set(state.type(), state.id(), state.content());
                case MemberSet member -> {
                    room.setJoined(member.joined());
                    members.put(new Member(update.room, member.user()), member.isJoined());
                }
                case Redacted redacted -> room.redact(redacted.event());
                case Purged _ -> purged.add(update.room);
                case Listed listed -> room.setPublished(listed.published());
            }
        }
        return rooms.save(List.copyOf(all.values()))
                .then(Mono.defer(() -> moved(ENTER, members, true)))
                .then(Mono.defer(() -> moved(LEAVE, members, false)))
                .thenMany(Flux.fromIterable(purged))
                .concatMap(this::forgotten)
                .then();
    }

    private Mono<Void> forgotten(TenantRoom room) {
        return db.sql(FORGET)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .then();
    }

    private Mono<Void> moved(String sql, Map<Member, Boolean> members, boolean in) {
        var those = members.entrySet().stream()
                .filter(member -> member.getValue() == in)
                .map(Map.Entry::getKey)
                .toList();
        return Portions.each(
                those,
                some -> db.sql(sql)
                        .bind(
                                "tenants",
                                some.stream()
                                        .map(member -> member.room.tenant().value())
                                        .toArray(Integer[]::new))
                        .bind(
                                "rooms",
                                some.stream()
                                        .map(member -> member.room.room().value())
                                        .toArray(String[]::new))
                        .bind(
                                "users",
                                some.stream().map(member -> member.user.value()).toArray(String[]::new))
                        .then());
    }

    /** Number of the tenant's published rooms. */
    public Mono<Long> published(TenantId tenant) {
        return rooms.published(tenant);
    }

    /** Empties the room directory before a new derivation. */
    public Mono<Void> forgetAll() {
        return db.sql(FORGET_ALL).then();
    }
}
