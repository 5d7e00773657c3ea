// SPDX-License-Identifier: Apache-2.0
package rookery.room.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.RoomId;
import rookery.platform.http.AnswerBudget;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.authorization.VisiblePlaces;
import rookery.room.authorization.VisiblePlaces.Change;
import rookery.room.inbox.IgnoredUsers;
import rookery.room.search.SearchPlace.Group;
import rookery.room.search.SearchRequest.Grouping;
import rookery.room.search.SearchRows.Hit;
import rookery.room.search.SearchRows.HitEvent;
import rookery.room.search.SearchRows.Hits;
import rookery.room.search.SearchRows.RoomStretch;
import rookery.room.search.SearchRows.SearchQuery;
import rookery.room.table.BoundedRows;
import rookery.room.table.SearchWords;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import rookery.room.timeline.VisibilityRows;

/**
 * Searches the events visible to the caller, in rooms that the caller is in, or was in and has not forgotten (contract.md 13.7).
 */
@Component
class Searcher {
    /**
     * Above this number of rooms, a query for all rooms of the tenant that filters rows afterwards is faster than a query that
     * lists the rooms.
     */
    private static final int ROOMS_NAMED_MAX = 32;

    private final SearchRows rows;
    private final VisibilityRows visibilities;
    private final IgnoredUsers ignoredUsers;

    Searcher(SearchRows rows, VisibilityRows visibilities, IgnoredUsers ignoredUsers) {
        this.rows = rows;
        this.visibilities = visibilities;
        this.ignoredUsers = ignoredUsers;
    }

    /** A room of the reader, and its visible positions. */
    record SearchedRoom(ReaderInRoom reading, VisiblePlaces places) {}

    /** A found event in its room. */
    record Result(Hit hit, StoredEvent event, SearchedRoom room) {}

    /**
     * A page of results: the number of all results, the last hit of the page if others follow, and the reader's ignored users.
     */
    record ResultPage(
            long count, List<Result> results, @Nullable Hit last, Set<String> ignored) {
        static final ResultPage NOTHING = new ResultPage(0, List.of(), null, Set.of());
    }

    Mono<ResultPage> search(Caller caller, SearchRequest request, @Nullable SearchPlace after) {
        String term = SearchWords.query(request.term());
        if (term.isEmpty() || request.keys().isEmpty()) {
            return Mono.just(ResultPage.NOTHING);
        }
        return rows.rooms(caller)
                .map(readings -> searchable(readings, request, after))
                .flatMap(readings -> searched(caller, readings))
                .filter(rooms -> !rooms.isEmpty())
                .flatMap(rooms -> search(caller, request, after, term, rooms))
                .defaultIfEmpty(ResultPage.NOTHING);
    }

    private static List<ReaderInRoom> searchable(
            List<ReaderInRoom> readings, SearchRequest request, @Nullable SearchPlace after) {
        @Nullable Group group = after == null ? null : after.group();
        return readings.stream()
                .filter(reading -> request.filter().passesRoom(reading.room().room()))
                .filter(reading -> group == null
                        || group.by() != Grouping.ROOM
                        || group.value().equals(reading.room().room().value()))
                .toList();
    }

    private Mono<Map<RoomId, SearchedRoom>> searched(Caller caller, List<ReaderInRoom> readings) {
        var rooms = readings.stream().map(reading -> reading.room().room()).toList();
        return visibilities.changes(caller.tenant(), rooms).map(changes -> searched(readings, changes));
    }

    private static Map<RoomId, SearchedRoom> searched(List<ReaderInRoom> readings, Map<RoomId, List<Change>> changes) {
        var searched = new HashMap<RoomId, SearchedRoom>();
        for (var reading : readings) {
            var room = reading.room().room();
            var places = VisibilityRows.places(reading.user(), reading.history(), changes.get(room));
            searched.put(
                    room, new SearchedRoom(withVisibility(reading, changes.getOrDefault(room, List.of())), places));
        }
        return searched;
    }

    private static ReaderInRoom withVisibility(ReaderInRoom reading, List<Change> changes) {
        boolean worldReadable =
                !changes.isEmpty() && changes.getLast().visibility().equals(HistoryVisibility.WORLD_READABLE);
        return worldReadable ? reading.asWorldReadable() : reading;
    }

    private Mono<ResultPage> search(
            Caller caller,
            SearchRequest request,
            @Nullable SearchPlace after,
            String term,
            Map<RoomId, SearchedRoom> rooms) {
        var places = places(rooms);
        if (places.isEmpty()) {
            return Mono.empty();
        }
        return ignoredUsers
                .of(caller.tenant(), caller.user())
                .map(ignored -> query(request, after, term, rooms, ignored))
                .flatMap(query -> hits(caller, query, places)
                        .flatMap(hits -> resultPage(caller, request, hits, rooms, query.ignored())));
    }

    private static List<RoomStretch> places(Map<RoomId, SearchedRoom> rooms) {
        var places = new ArrayList<RoomStretch>();
        rooms.forEach((room, searched) -> searched.places()
                .stretches()
                .forEach(stretch -> places.add(new RoomStretch(room, stretch.first(), stretch.last()))));
        return places;
    }

    private static SearchQuery query(
            SearchRequest request,
            @Nullable SearchPlace after,
            String term,
            Map<RoomId, SearchedRoom> rooms,
            Set<String> ignored) {
        @Nullable Group group = after == null ? null : after.group();
        boolean isNamed = rooms.size() <= ROOMS_NAMED_MAX;
        String where = rooms.values().stream()
                .map(searched -> searched.reading().room())
                .map(room -> isNamed ? SearchWords.ofRoom(room) : SearchWords.ofTenant(room))
                .distinct()
                .collect(Collectors.joining(" | "));
        var filter = request.filter();
        var senders = filter.senders();
        if (group != null && group.by() == Grouping.SENDER) {
            boolean passes = senders == null || senders.contains(group.value());
            senders = passes ? List.of(group.value()) : List.of();
        }
        return new SearchQuery(
                term,
                "(" + where + ") & " + term,
                request.keys(),
                senders,
                filter,
                ignored,
                request.recent(),
                request.limit() + 1,
                after);
    }

    private Mono<Hits> hits(Caller caller, SearchQuery query, List<RoomStretch> places) {
        return rows.hits(caller, query, places)
                .flatMap(hits -> hits.weighed() < SearchRows.HITS_MAX
                        ? Mono.just(hits)
                        : rows.newestHits(caller, query, places));
    }

    private Mono<ResultPage> resultPage(
            Caller caller, SearchRequest request, Hits hits, Map<RoomId, SearchedRoom> rooms, Set<String> ignored) {
        var best = hits.best();
        var page = best.subList(0, Math.min(best.size(), request.limit()));
        if (page.isEmpty()) {
            return Mono.just(new ResultPage(hits.total(), List.of(), null, ignored));
        }
        return rows.events(caller, page)
                .delayUntil(Searcher::reserved)
                .map(events ->
                        new ResultPage(hits.total(), results(events, rooms), last(best, page.size(), events), ignored));
    }

    private static Mono<Void> reserved(BoundedRows<HitEvent> events) {
        var read = events.rows().stream().map(counted -> counted.row().event()).toList();
        return AnswerBudget.reserve(2 * StoredEvent.length(read));
    }

    /** The last hit of the page if others follow. */
    private static @Nullable Hit last(List<Hit> best, int pageSize, BoundedRows<HitEvent> events) {
        int read = events.cut() ? events.rows().getLast().row().number() : pageSize;
        return best.size() > read ? best.get(read - 1) : null;
    }

    private static List<Result> results(BoundedRows<HitEvent> events, Map<RoomId, SearchedRoom> rooms) {
        var results = new ArrayList<Result>();
        for (var counted : events.rows()) {
            var hitEvent = counted.row();
            var room = rooms.get(hitEvent.hit().room());
            if (room != null && room.reading().sees(hitEvent.event())) {
                results.add(new Result(hitEvent.hit(), hitEvent.event(), room));
            }
        }
        return results;
    }
}
