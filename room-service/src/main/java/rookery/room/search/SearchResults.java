// SPDX-License-Identifier: Apache-2.0
package rookery.room.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.RoomId;
import rookery.platform.http.AnswerBudget;
import rookery.platform.http.PageBytes;
import rookery.platform.json.JsonText;
import rookery.room.search.SearchRequest.ContextSize;
import rookery.room.search.SearchRows.Hit;
import rookery.room.search.Searcher.Result;
import rookery.room.search.Searcher.ResultPage;
import rookery.room.search.Searcher.SearchedRoom;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.ContextReader;
import rookery.room.timeline.ContextReader.Context;
import rookery.room.timeline.PageReader;
import rookery.room.timeline.ShownEvents;
import rookery.room.timeline.StateRows;
import rookery.room.timeline.TimelineFilter;

/** Reads the additions to the results of a search: contexts, senders' profiles, and the state of the rooms. */
@Component
class SearchResults {
    private final ContextReader contexts;
    private final StateRows states;
    private final ShownEvents shown;

    SearchResults(ContextReader contexts, StateRows states, ShownEvents shown) {
        this.contexts = contexts;
        this.states = states;
        this.shown = shown;
    }

    /** A result, its context, and the senders' member events as of the result; null if not requested. */
    record ResultWithContext(
            Result result,
            @Nullable Context context,
            @Nullable List<StoredEvent> members) {
        /** The result first. */
        List<StoredEvent> events() {
            return context == null ? List.of(result.event()) : context.all();
        }

        /** The result with its first {@code count} events. */
        ResultWithContext first(int count) {
            return context == null ? this : new ResultWithContext(result, context.first(count), members);
        }

        private long bytes() {
            var read = members == null ? events().stream() : Stream.concat(events().stream(), members.stream());
            return read.mapToLong(event -> event.body().length()).sum();
        }
    }

    /**
     * A page: results, rendered events by room and position, state of the rooms if requested, and the last hit if others follow.
     */
    record Page(
            List<ResultWithContext> results,
            Map<RoomId, Map<Long, JsonText>> texts,
            Map<RoomId, List<JsonText>> state,
            @Nullable Hit last) {
        /** The page with its first {@code count} results. */
        private Page first(int count) {
            return count == results.size()
                    ? this
                    : new Page(
                            results.subList(0, count),
                            texts,
                            state,
                            results.get(count - 1).result.hit());
        }

        private Page with(Map<RoomId, List<JsonText>> state) {
            return new Page(results, texts, state, last);
        }
    }

    // sequential, since a page has at most fifty results
    Mono<Page> page(Caller caller, SearchRequest request, ResultPage matches) {
        return withContexts(request, matches)
                .flatMap(results -> texts(caller, results).map(texts -> fitting(matches, results, texts)))
                .flatMap(page -> request.includeState() ? withState(caller, request, page) : Mono.just(page));
    }

    /** Ends with the result that reaches the bytes of a page, since a single context may exceed the bytes. */
    private Mono<List<ResultWithContext>> withContexts(SearchRequest request, ResultPage matches) {
        var bytes = new AtomicLong();
        return Flux.fromIterable(matches.results())
                .concatMap(result -> withContext(request, result, matches.ignored()))
                .takeUntil(item -> bytes.addAndGet(item.bytes()) >= PageBytes.PAGE_MAX)
                .delayUntil(item -> AnswerBudget.reserve(item.bytes()))
                .collectList();
    }

    /**
     * The results that fit into the bytes of a page, at least one. A first result that does not fit keeps only
     * its nearest events.
     */
    private static Page fitting(
            ResultPage matches, List<ResultWithContext> results, Map<RoomId, Map<Long, JsonText>> texts) {
        var fitting = new ArrayList<ResultWithContext>();
        long bytes = 0;
        for (var item : results) {
            var ofRoom = texts.getOrDefault(item.result.hit().room(), Map.of());
            var shown = item.events().stream()
                    .map(event -> ofRoom.get(event.pos()))
                    .takeWhile(Objects::nonNull)
                    .toList();
            boolean isWhole = shown.size() == item.events().size();
            long more =
                    shown.stream().mapToLong(text -> PageBytes.of(text.text())).sum();
            if (!fitting.isEmpty() && (!isWhole || bytes + more > PageBytes.PAGE_MAX)) {
                break;
            }
            fitting.add(isWhole ? item : item.first(shown.size()));
            bytes += more;
        }
        var last = fitting.size() < matches.results().size()
                ? fitting.getLast().result.hit()
                : matches.last();
        return new Page(fitting, texts, Map.of(), last);
    }

    private Mono<ResultWithContext> withContext(SearchRequest request, Result result, Set<String> ignored) {
        var around = request.around();
        if (around == null) {
            return Mono.just(new ResultWithContext(result, null, null));
        }
        var query = new ContextReader.ContextQuery(around.before(), around.after(), TimelineFilter.ALL, ignored);
        var room = result.room();
        return contexts.around(room.reading(), room.places(), result.event(), query)
                .flatMap(context -> withMembers(around, result, context));
    }

    private Mono<ResultWithContext> withMembers(ContextSize around, Result result, Context context) {
        if (!around.profiles()) {
            return Mono.just(new ResultWithContext(result, context, null));
        }
        var reading = result.room().reading();
        var senders = context.senders();
        return states.membersAt(reading.room(), reading.shard(), result.event().pos(), senders)
                .map(read -> new ResultWithContext(
                        result,
                        context.first(PageReader.sentBy(context.all(), senders.subList(0, read.looked()))),
                        read.events()));
    }

    /** Renders the events of each room together, each event once. */
    private Mono<Map<RoomId, Map<Long, JsonText>>> texts(Caller caller, List<ResultWithContext> results) {
        var byRoom = new LinkedHashMap<SearchedRoom, Map<Long, StoredEvent>>();
        for (var item : results) {
            var events = byRoom.computeIfAbsent(item.result.room(), _ -> new LinkedHashMap<>());
            item.events().forEach(event -> events.put(event.pos(), event));
        }
        return Flux.fromIterable(byRoom.entrySet())
                .concatMap(room ->
                        texts(caller, room.getKey(), List.copyOf(room.getValue().values())))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private Mono<Map.Entry<RoomId, Map<Long, JsonText>>> texts(
            Caller caller, SearchedRoom room, List<StoredEvent> events) {
        return shown.showAll(events, room.reading(), caller).map(texts -> {
            var byPos = new HashMap<Long, JsonText>();
            for (int i = 0; i < texts.size(); i++) {
                byPos.put(events.get(i).pos(), texts.get(i));
            }
            return Map.entry(room.reading().room().room(), byPos);
        });
    }

    /**
     * Keeps the results before the first room whose state would exceed the bytes of a page; the first room's state
     * is always included.
     */
    private Mono<Page> withState(Caller caller, SearchRequest request, Page page) {
        var senders = new LinkedHashMap<SearchedRoom, Set<String>>();
        for (var item : page.results) {
            var ofRoom = senders.computeIfAbsent(item.result.room(), _ -> new LinkedHashSet<>());
            item.events()
                    .forEach(event -> ofRoom.add(event.event().meta().sender().value()));
        }
        boolean lazy = request.filter().lazyLoadMembers();
        return Flux.fromIterable(senders.entrySet())
                .concatMap(room -> sized(room.getKey(), lazy ? List.copyOf(room.getValue()) : null))
                .collectList()
                .flatMap(rooms -> withState(caller, page, fitting(rooms)));
    }

    /** A room whose state is requested, with its size; null {@code senders} for all members instead of the senders only. */
    private record SizedRoom(SearchedRoom room, @Nullable List<String> senders, long bytes) {}

    private Mono<SizedRoom> sized(SearchedRoom room, @Nullable List<String> senders) {
        var reading = room.reading();
        return states.bytesAt(reading.room(), reading.shard(), reading.statePos(), senders)
                .map(bytes -> new SizedRoom(room, senders, bytes));
    }

    private static List<SizedRoom> fitting(List<SizedRoom> rooms) {
        long bytes = 0;
        for (int i = 0; i < rooms.size(); i++) {
            bytes += rooms.get(i).bytes;
            if (i > 0 && bytes > PageBytes.PAGE_MAX) {
                return rooms.subList(0, i);
            }
        }
        return rooms;
    }

    private Mono<Page> withState(Caller caller, Page page, List<SizedRoom> rooms) {
        var read = rooms.stream().map(SizedRoom::room).collect(Collectors.toSet());
        long bytes = rooms.stream().mapToLong(SizedRoom::bytes).sum();
        int count = (int) page.results.stream()
                .takeWhile(result -> read.contains(result.result.room()))
                .count();
        return AnswerBudget.reserve(2 * bytes)
                .thenMany(Flux.fromIterable(rooms))
                .concatMap(room -> state(caller, room))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .map(state -> page.results.isEmpty() ? page : page.first(count).with(state));
    }

    private Mono<Map.Entry<RoomId, List<JsonText>>> state(Caller caller, SizedRoom sized) {
        var reading = sized.room.reading();
        var events = sized.senders == null
                ? states.at(reading.room(), reading.shard(), reading.statePos())
                : states.lazilyAt(reading.room(), reading.shard(), reading.statePos(), sized.senders);
        return events.map(event -> shown.show(event, reading, caller))
                .collectList()
                .map(texts -> Map.entry(reading.room().room(), texts));
    }
}
