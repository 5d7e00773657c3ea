// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import io.r2dbc.spi.Readable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.directory.SearchText;
import rookery.directory.listing.RoomPage.PagePosition;
import rookery.directory.listing.RoomPage.RoomQuery;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.platform.http.AnswerBudget;
import rookery.platform.http.PageBytes;
import rookery.platform.search.SearchLetters;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;

/** The table of rooms. */
@Component
class ListedRooms {
    private static final String OF_KEYS = """
            SELECT r.tenant, r.room_id, r.published, r.joined, r.facts
              FROM unnest(:tenants::int[], :rooms::text[]) AS k (tenant, room_id)
              JOIN directory.room r ON r.tenant = k.tenant AND r.room_id = k.room_id
            """;

    private static final String SAVE = """
            INSERT INTO directory.room (tenant, room_id, published, joined, open, room_type, facts, search)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :published::boolean[], :joined::int[], :open::boolean[],
                                 :types::text[], :facts::text[], :search::text[])
                ON CONFLICT (tenant, room_id) DO UPDATE
               SET published = excluded.published, joined = excluded.joined, open = excluded.open,
                   room_type = excluded.room_type, facts = excluded.facts, search = excluded.search
            """;

    /** Matching rooms in the directory's order, beginning after a place; in reverse order for pages towards the beginning. */
    private static final String PAGE = """
            SELECT p.* FROM (
                SELECT r.*, sum(octet_length(r.facts)) OVER (ORDER BY ORDERED) AS bytes FROM (
                    SELECT tenant, room_id, published, joined, facts FROM directory.room
                     WHERE tenant = :tenant AND published MATCHING BEYOND
                     ORDER BY ORDERED LIMIT :limit) r) p
             WHERE p.bytes - octet_length(p.facts) < MAX
             ORDER BY ORDERED
            """.replace("MAX", String.valueOf(PageBytes.PAGE_MAX));

    /**
     * Counts at most 1,000 matches of a search, because counting more would take longer than reading the page. The answer is
     * an estimate.
     */
    private static final String COUNT = """
            SELECT count(*) AS found FROM (
                SELECT FROM directory.room WHERE tenant = :tenant AND published MATCHING LIMIT 1000) AS matching
            """;

    private static final String PUBLISHED = """
            SELECT count(*) AS found FROM directory.room WHERE tenant = :tenant AND published
            """;

    /**
     * PostgreSQL chooses the plan: a scan in the directory's order for common terms, the trigram index for rare terms. A reserved
     * alias matches no room, because its room has no row yet.
     */
    private static final String TERM = """
             AND (search LIKE :term
                  OR room_id = ANY (ARRAY(SELECT room_id FROM directory.alias
                                           WHERE tenant = :tenant AND alias LIKE :alias)))
            """;

    private static final String TYPES = """
             AND (room_type = ANY (:types::text[]) OR (:ordinary AND room_type IS NULL))
            """;

    /** Includes unpublished rooms. An administrator with more matches has to narrow the search. */
    private static final String SEARCH = """
            SELECT room_id FROM directory.room
             WHERE tenant = :tenant AND (search LIKE :term OR lower(room_id) LIKE :term)
             UNION
            SELECT room_id FROM directory.alias WHERE tenant = :tenant AND alias LIKE :alias
             LIMIT 10000
            """;

    /** A page exists as rows, as objects and as text. */
    private static final int COPIES = 3;

    private static final int COUNTED_ALWAYS = 5_000;
    private static final Duration COUNT_KEPT = Duration.ofSeconds(10);

    private final DatabaseClient db;
    private final Map<TenantId, Mono<Long>> published = new ConcurrentHashMap<>();

    ListedRooms(DatabaseClient db) {
        this.db = db;
    }

    Mono<ListedRoom> find(TenantRoom room) {
        return all(List.of(room)).flatMap(rooms -> Mono.justOrEmpty(rooms.isEmpty() ? null : rooms.getFirst()));
    }

    Mono<List<ListedRoom>> all(Collection<TenantRoom> rooms) {
        return db.sql(OF_KEYS)
                .bind("tenants", rooms.stream().map(key -> key.tenant().value()).toArray(Integer[]::new))
                .bind("rooms", rooms.stream().map(key -> key.room().value()).toArray(String[]::new))
                .map(ListedRooms::room)
                .all()
                .collectList();
    }

    Mono<Void> save(List<ListedRoom> rooms) {
        return Portions.each(rooms, this::saved);
    }

    private Mono<Void> saved(List<ListedRoom> rooms) {
        return db.sql(SAVE)
                .bind(
                        "tenants",
                        rooms.stream().map(room -> room.key().tenant().value()).toArray(Integer[]::new))
                .bind(
                        "rooms",
                        rooms.stream().map(room -> room.key().room().value()).toArray(String[]::new))
                .bind("published", rooms.stream().map(ListedRoom::isPublished).toArray(Boolean[]::new))
                .bind("joined", rooms.stream().map(ListedRoom::joined).toArray(Integer[]::new))
                .bind("open", rooms.stream().map(ListedRoom::isOpen).toArray(Boolean[]::new))
                .bind("types", rooms.stream().map(ListedRooms::type).toArray(String[]::new))
                .bind("facts", rooms.stream().map(ListedRoom::factsJson).toArray(String[]::new))
                .bind("search", rooms.stream().map(ListedRoom::searched).toArray(String[]::new))
                .then();
    }

    private static @Nullable String type(ListedRoom room) {
        var type = room.value(EventTypes.CREATE);
        return type == null ? null : SearchText.storable(type);
    }

    /** Rooms in the order of the directory; {@code goesOn} if more rooms may follow. */
    record FoundRooms(List<ListedRoom> rooms, boolean goesOn) {}

    /**
     * At most {@code limit} rooms beyond a place, nearest first, within the byte limit of a page. A null place is the beginning.
     */
    Mono<FoundRooms> page(RoomQuery roomQuery, @Nullable PagePosition place, int limit) {
        boolean back = place != null && place.isBack();
        var sql = matching(PAGE, roomQuery)
                .replace(
                        "BEYOND",
                        place == null ? "" : "AND (-joined, room_id) " + (back ? "<" : ">") + " (:rank, :room)")
                .replace("ORDERED", back ? "-joined DESC, room_id DESC" : "-joined, room_id");
        var query = bound(sql, roomQuery).bind("limit", limit + 1);
        if (place != null) {
            query = query.bind("rank", -place.joined()).bind("room", place.room());
        }
        return query.map(row -> Map.entry(room(row), RequiredColumn.of(row, "bytes", Long.class)))
                .all()
                .collectList()
                .delayUntil(rows -> AnswerBudget.reserve(
                        rows.isEmpty() ? 0 : COPIES * rows.getLast().getValue()))
                .map(rows -> foundRooms(rows, limit));
    }

    private static FoundRooms foundRooms(List<Map.Entry<ListedRoom, Long>> rows, int limit) {
        boolean isCut = !rows.isEmpty() && rows.getLast().getValue() >= PageBytes.PAGE_MAX;
        return new FoundRooms(rows.stream().map(Map.Entry::getKey).limit(limit).toList(), isCut || rows.size() > limit);
    }

    /** An estimate of the number of matching rooms. */
    Mono<Long> count(RoomQuery roomQuery) {
        return roomQuery.term().isEmpty() && roomQuery.types() == null
                ? Mono.defer(() -> published.computeIfAbsent(roomQuery.tenant(), this::countedNowAndThen))
                : counted(bound(matching(COUNT, roomQuery), roomQuery));
    }

    /** Counting 100,000 rooms takes longer than reading a page, so counts from 5,000 on are cached for ten seconds. */
    private Mono<Long> countedNowAndThen(TenantId tenant) {
        return published(tenant)
                .cache(
                        count -> count < COUNTED_ALWAYS ? Duration.ZERO : COUNT_KEPT,
                        _ -> Duration.ZERO,
                        () -> Duration.ZERO);
    }

    Mono<List<RoomId>> search(TenantId tenant, String term) {
        return db.sql(SEARCH)
                .bind("tenant", tenant)
                .bind("term", anywhere(term))
                .bind("alias", anywhereInAlias(term))
                .map(row -> RequiredColumn.of(row, "room_id", RoomId.class))
                .all()
                .collectList();
    }

    private static String anywhere(String term) {
        return "%" + SearchText.literal(SearchText.folded(term)) + "%";
    }

    /** Aliases are stored unfolded, so the term is lowercased, but not folded. */
    private static String anywhereInAlias(String term) {
        return "%" + SearchText.literal(SearchText.storable(SearchLetters.lowerCase(term))) + "%";
    }

    Mono<Long> published(TenantId tenant) {
        return counted(db.sql(PUBLISHED).bind("tenant", tenant));
    }

    private static Mono<Long> counted(GenericExecuteSpec query) {
        return query.mapValue(Long.class).one();
    }

    private static String matching(String sql, RoomQuery roomQuery) {
        return sql.replace(
                "MATCHING", (roomQuery.term().isEmpty() ? "" : TERM) + (roomQuery.types() == null ? "" : TYPES));
    }

    private GenericExecuteSpec bound(String sql, RoomQuery roomQuery) {
        var query = db.sql(sql).bind("tenant", roomQuery.tenant());
        if (!roomQuery.term().isEmpty()) {
            query = query.bind("term", anywhere(roomQuery.term())).bind("alias", anywhereInAlias(roomQuery.term()));
        }
        var types = roomQuery.types();
        if (types != null) {
            query = query.bind(
                            "types",
                            types.named().stream().map(SearchText::storable).toArray(String[]::new))
                    .bind("ordinary", types.ordinary());
        }
        return query;
    }

    private static ListedRoom room(Readable row) {
        return new ListedRoom(
                new TenantRoom(
                        RequiredColumn.of(row, "tenant", TenantId.class),
                        RequiredColumn.of(row, "room_id", RoomId.class)),
                RequiredColumn.of(row, "published", Boolean.class),
                RequiredColumn.of(row, "joined", Integer.class),
                RequiredColumn.of(row, "facts", String.class));
    }
}
