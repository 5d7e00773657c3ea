package rookery.room.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.filter.EventFilter;
import rookery.model.id.RoomId;
import rookery.platform.json.JsonText;
import rookery.room.search.SearchRequest.ContextSize;
import rookery.room.search.Searcher.Result;
import rookery.room.search.Searcher.ResultPage;
import rookery.room.search.Searcher.SearchedRoom;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.ContextReader;
import rookery.room.timeline.ContextReader.Context;
import rookery.room.timeline.ShownEvents;
import rookery.room.timeline.StateRows;

/** Reads what is to be told with the results of a search: what is around them, who spoke, and the state of their rooms. */
@Component
class SearchResults {
    private static final Mono<Map<RoomId, List<JsonText>>> NO_STATE = Mono.just(Map.of());

    private final ContextReader contexts;
    private final StateRows states;
    private final ShownEvents shown;

    SearchResults(ContextReader contexts, StateRows states, ShownEvents shown) {
        this.contexts = contexts;
        this.states = states;
        this.shown = shown;
    }

    /**
     * A result and what is around it.
     *
     * @param members member events of those who sent any of it, as of the result; null if they are not wanted
     */
    record ResultWithContext(
            Result result,
            @Nullable Context context,
            @Nullable List<StoredEvent> members) {
        List<StoredEvent> events() {
            return context == null ? List.of(result.event()) : context.all();
        }
    }

    /**
     * A page as the client gets it.
     *
     * @param texts of the events, by room and position
     * @param state of the rooms, if it is wanted
     */
    record Page(
            List<ResultWithContext> results,
            Map<RoomId, Map<Long, JsonText>> texts,
            Map<RoomId, List<JsonText>> state) {}

    // one after the other throughout: a page is at most fifty results
    Mono<Page> page(Caller caller, SearchRequest request, ResultPage found) {
        return Flux.fromIterable(found.results())
                .concatMap(result -> told(request, result, found.ignored()))
                .collectList()
                .flatMap(results -> texts(caller, results)
                        .zipWhen(_ -> request.includeState() ? state(caller, request, results) : NO_STATE)
                        .map(both -> new Page(results, both.getT1(), both.getT2())));
    }

    private Mono<ResultWithContext> told(SearchRequest request, Result result, Set<String> ignored) {
        var around = request.around();
        if (around == null) {
            return Mono.just(new ResultWithContext(result, null, null));
        }
        var wanted = new ContextReader.ContextQuery(around.before(), around.after(), EventFilter.ALL, ignored);
        var room = result.room();
        return contexts.around(room.reading(), room.places(), result.event(), wanted)
                .flatMap(context -> withMembers(around, result, context));
    }

    private Mono<ResultWithContext> withMembers(ContextSize around, Result result, Context context) {
        if (!around.profiles()) {
            return Mono.just(new ResultWithContext(result, context, null));
        }
        var reading = result.room().reading();
        var senders = context.senders().toArray(String[]::new);
        return states.membersAt(reading.room(), reading.shard(), result.event().pos(), senders)
                .collectList()
                .map(members -> new ResultWithContext(result, context, members));
    }

    /** The events of each room together, each once. */
    private Mono<Map<RoomId, Map<Long, JsonText>>> texts(Caller caller, List<ResultWithContext> results) {
        var byRoom = new LinkedHashMap<SearchedRoom, Map<Long, StoredEvent>>();
        for (var told : results) {
            var events = byRoom.computeIfAbsent(told.result.room(), _ -> new LinkedHashMap<>());
            told.events().forEach(event -> events.put(event.pos(), event));
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
            for (int i = 0; i < events.size(); i++) {
                byPos.put(events.get(i).pos(), texts.get(i));
            }
            return Map.entry(room.reading().room().room(), byPos);
        });
    }

    private Mono<Map<RoomId, List<JsonText>>> state(
            Caller caller, SearchRequest request, List<ResultWithContext> results) {
        var senders = new LinkedHashMap<SearchedRoom, Set<String>>();
        for (var told : results) {
            var ofRoom = senders.computeIfAbsent(told.result.room(), _ -> new LinkedHashSet<>());
            told.events()
                    .forEach(event -> ofRoom.add(event.event().meta().sender().value()));
        }
        boolean lazy = request.filter().lazyLoadMembers();
        return Flux.fromIterable(senders.entrySet())
                .concatMap(room -> state(caller, room.getKey(), new ArrayList<>(room.getValue()), lazy))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private Mono<Map.Entry<RoomId, List<JsonText>>> state(
            Caller caller, SearchedRoom room, List<String> senders, boolean lazy) {
        var reading = room.reading();
        var events = lazy
                ? states.lazilyAt(reading.room(), reading.shard(), reading.statePos(), senders)
                : states.at(reading.room(), reading.shard(), reading.statePos());
        return events.map(event -> shown.show(event, reading, caller))
                .collectList()
                .map(texts -> Map.entry(reading.room().room(), texts));
    }
}
