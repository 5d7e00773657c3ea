// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.platform.json.JsonText;
import rookery.room.inbox.IgnoredUsers;
import rookery.room.relation.RelatedEvents;
import rookery.room.relation.RelatedEvents.RelationQuery;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.PageReader.Direction;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import rookery.room.timeline.SparsePages.Page;

/** Events that relate to an event (contract.md 11.1). Errors: M_FORBIDDEN, M_NOT_FOUND, M_INVALID_PARAM. */
@RestController
class RelationsApi {
    private static final String ALL = "/_api/client/v1/rooms/{roomId}/relations/{eventId}";
    private static final String OF_RELATION = ALL + "/{relType}";
    private static final String OF_TYPE = OF_RELATION + "/{eventType}";
    /** The unstable path of MSC2675. */
    private static final String UNSTABLE_ALL = "/_api/client/unstable/rooms/{roomId}/relations/{eventId}";

    private static final String UNSTABLE_OF_RELATION = UNSTABLE_ALL + "/{relType}";
    private static final String UNSTABLE_OF_TYPE = UNSTABLE_OF_RELATION + "/{eventType}";
    private static final int LIMIT = 50;
    private static final int LIMIT_MAX = 100;

    private final RoomReader reader;
    private final TimelineRows timeline;
    private final RelatedEvents related;
    private final ShownEvents shown;
    private final IgnoredUsers ignoredUsers;
    private final PageTokens tokens;

    RelationsApi(
            RoomReader reader,
            TimelineRows timeline,
            RelatedEvents related,
            ShownEvents shown,
            IgnoredUsers ignoredUsers,
            PageTokens tokens) {
        this.reader = reader;
        this.timeline = timeline;
        this.related = related;
        this.shown = shown;
        this.ignoredUsers = ignoredUsers;
        this.tokens = tokens;
    }

    @GetMapping({ALL, OF_RELATION, OF_TYPE, UNSTABLE_ALL, UNSTABLE_OF_RELATION, UNSTABLE_OF_TYPE})
    Mono<Relations> relations(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable EventId eventId,
            @PathVariable(required = false) @Nullable String relType,
            @PathVariable(required = false) @Nullable String eventType,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(defaultValue = "b") String dir,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(defaultValue = "false") boolean recurse) {
        int most = PageLimit.of(limit, LIMIT, 1, LIMIT_MAX);
        boolean isBackwards = MessagesApi.direction(dir) == Direction.BACKWARDS;
        requireText(relType);
        requireText(eventType);
        var request = new RelationsQuery(eventId, relType, eventType, from, to, isBackwards, most, recurse);
        return reader.reading(caller, roomId).flatMap(reading -> relations(caller, reading, request));
    }

    /** PostgreSQL stores no U+0000 in text, so no event has such a type. */
    private static void requireText(@Nullable String type) {
        if (type != null && type.indexOf('\0') >= 0) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "no type contains U+0000");
        }
    }

    private record RelationsQuery(
            EventId parent,
            @Nullable String relType,
            @Nullable String type,
            @Nullable String from,
            @Nullable String to,
            boolean backwards,
            int limit,
            boolean recurse) {}

    private Mono<Relations> relations(Caller caller, ReaderInRoom reading, RelationsQuery request) {
        return timeline.find(reading.room(), request.parent)
                .filter(reading::sees)
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such event")))
                .flatMap(_ -> ignoredUsers.of(caller.tenant(), caller.user()))
                .flatMap(ignored -> page(caller, reading, request, ignored)
                        .zipWhen(page -> shown.showAll(page.rows(), reading, caller, ignored)))
                .map(both -> answer(
                        caller,
                        reading,
                        request,
                        both.getT1().first(both.getT2().size(), event -> placeAfter(request, event)),
                        both.getT2()));
    }

    private static long placeAfter(RelationsQuery request, StoredEvent event) {
        return request.backwards ? event.pos() - 1 : event.pos();
    }

    private Mono<Page<StoredEvent>> page(
            Caller caller, ReaderInRoom reading, RelationsQuery request, Set<String> ignored) {
        var query = new RelationQuery(
                caller.tenant(),
                request.parent,
                request.relType,
                request.type,
                request.recurse,
                request.backwards,
                ignored);
        long beginning = request.backwards ? reading.statePos() : 0;
        long end = request.backwards ? 0 : reading.statePos();
        long from = request.from == null ? beginning : tokens.pos(request.from, reading, caller, reading.head());
        long to = request.to == null ? end : tokens.pos(request.to, reading, caller, reading.head());
        return SparsePages.read(
                (place, limit) -> request.backwards
                        ? related.stretch(query, to, place, limit)
                        : related.stretch(query, place, to, limit),
                reading::sees,
                event -> placeAfter(request, event),
                from,
                request.limit);
    }

    private Relations answer(
            Caller caller, ReaderInRoom reading, RelationsQuery request, Page<StoredEvent> page, List<JsonText> chunk) {
        return new Relations(
                chunk,
                page.next() == null ? null : tokens.write(page.next(), reading, caller),
                request.from,
                request.recurse ? RelatedEvents.DEPTH_MAX : null);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Relations(
            List<JsonText> chunk,
            @JsonProperty("next_batch") @Nullable String nextBatch,
            @JsonProperty("prev_batch") @Nullable String prevBatch,
            @JsonProperty("recursion_depth") @Nullable Integer recursionDepth) {}
}
