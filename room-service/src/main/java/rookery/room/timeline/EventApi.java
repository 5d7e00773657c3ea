// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.platform.http.JsonStream;
import rookery.platform.json.JsonText;
import rookery.room.inbox.IgnoredUsers;
import rookery.room.timeline.ContextReader.Context;
import rookery.room.timeline.ContextReader.ContextQuery;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import tools.jackson.databind.json.JsonMapper;

/**
 * An event alone or with its context (contract.md 8.1, 11.1, D43). The filter does not apply to the event itself. Errors:
 * M_FORBIDDEN, M_NOT_FOUND, M_INVALID_PARAM, M_NOT_JSON, M_BAD_JSON.
 */
@RestController
class EventApi {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LIMIT = 10;
    private static final int LIMIT_MAX = 100;

    private final RoomReader reader;
    private final TimelineRows timeline;
    private final ContextReader contexts;
    private final ShownEvents shown;
    private final IgnoredUsers ignoredUsers;
    private final PageTokens pageTokens;

    EventApi(
            RoomReader reader,
            TimelineRows timeline,
            ContextReader contexts,
            ShownEvents shown,
            IgnoredUsers ignoredUsers,
            PageTokens pageTokens) {
        this.reader = reader;
        this.timeline = timeline;
        this.contexts = contexts;
        this.shown = shown;
        this.ignoredUsers = ignoredUsers;
        this.pageTokens = pageTokens;
    }

    /** M_NOT_FOUND for an absent or invisible event, also in an unknown room. */
    @GetMapping("/_api/client/v3/rooms/{roomId}/event/{eventId}")
    Mono<JsonText> event(Caller caller, @PathVariable RoomId roomId, @PathVariable EventId eventId) {
        return reader.reading(caller, roomId)
                .onErrorComplete(ApiException.class)
                .flatMap(reading -> event(caller, reading, eventId))
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such event")));
    }

    private Mono<JsonText> event(Caller caller, ReaderInRoom reading, EventId eventId) {
        return timeline.find(reading.room(), eventId)
                .filter(reading::sees)
                .flatMap(event -> shown.showAll(List.of(event), reading, caller))
                .map(List::getFirst);
    }

    @GetMapping(path = "/_api/client/v3/rooms/{roomId}/context/{eventId}", produces = MediaType.APPLICATION_JSON_VALUE)
    Flux<byte[]> context(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable EventId eventId,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(required = false) @Nullable String filter) {
        int most = PageLimit.of(limit, LIMIT, 0, LIMIT_MAX);
        var passing = TimelineFilter.of(filter);
        return reader.reading(caller, roomId)
                .zipWhen(_ -> ignoredUsers.of(caller.tenant(), caller.user()))
                .flatMapMany(both -> context(
                        caller,
                        both.getT1(),
                        eventId,
                        new ContextQuery(most / 2, most - most / 2, passing, both.getT2())))
                .switchIfEmpty(Flux.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such event")));
    }

    private Flux<byte[]> context(Caller caller, ReaderInRoom reading, EventId eventId, ContextQuery query) {
        return timeline.find(reading.room(), eventId)
                .filter(event -> reading.sees(event) && !ShownEvents.isIgnored(event, query.ignored()))
                .zipWhen(_ -> contexts.places(reading))
                .flatMap(both -> contexts.around(reading, both.getT2(), both.getT1(), query))
                .flatMapMany(context -> answer(caller, reading, context, query));
    }

    private Flux<byte[]> answer(Caller caller, ReaderInRoom reading, Context whole, ContextQuery query) {
        return shown.showAll(whole.all(), reading, caller, query.ignored()).flatMapMany(texts -> {
            var context = whole.first(texts.size());
            var state = contexts.state(reading, context, query.filter().events())
                    .map(events -> shown.texts(events, reading, caller));
            var before = JSON.writeValueAsString(answer(caller, reading, context, texts));
            return JsonStream.of(before.substring(0, before.length() - 1) + ",\"state\":[", state, "]}");
        });
    }

    private ContextAnswer answer(Caller caller, ReaderInRoom reading, Context context, List<JsonText> texts) {
        var byPos = new HashMap<Long, JsonText>();
        var events = context.all();
        for (int i = 0; i < events.size(); i++) {
            byPos.put(events.get(i).pos(), texts.get(i));
        }
        return new ContextAnswer(
                texts.getFirst(),
                context.before().stream().map(event -> byPos.get(event.pos())).toList(),
                context.after().stream().map(event -> byPos.get(event.pos())).toList(),
                pageTokens.write(context.start(), reading, caller),
                pageTokens.write(context.end(), reading, caller));
    }

    /** The answer without {@code state}, which is streamed. */
    record ContextAnswer(
            JsonText event,
            @JsonProperty("events_before") List<JsonText> eventsBefore,
            @JsonProperty("events_after") List<JsonText> eventsAfter,
            String start,
            String end) {}
}
