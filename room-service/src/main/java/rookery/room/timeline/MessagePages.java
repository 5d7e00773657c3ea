// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.RoomId;
import rookery.platform.http.AnswerBudget;
import rookery.platform.json.JsonText;
import rookery.room.inbox.IgnoredUsers;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.PageReader.Direction;
import rookery.room.timeline.PageReader.Page;
import rookery.room.timeline.PageReader.PageQuery;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** Reads pages of a room's history as one user sees them (contract.md 11.1). */
@Component
public class MessagePages {
    private static final int LIMIT = 50;
    private static final int LIMIT_MAX = 100;

    private final RoomReader reader;
    private final PageReader pages;
    private final ShownEvents shown;
    private final IgnoredUsers ignoredUsers;
    private final PageTokens pageTokens;

    MessagePages(
            RoomReader reader, PageReader pages, ShownEvents shown, IgnoredUsers ignoredUsers, PageTokens pageTokens) {
        this.reader = reader;
        this.pages = pages;
        this.shown = shown;
        this.ignoredUsers = ignoredUsers;
        this.pageTokens = pageTokens;
    }

    /** The newest events before {@code from}, or of all. M_FORBIDDEN, M_INVALID_PARAM. */
    public Mono<Messages> newest(Caller caller, RoomId room, @Nullable String from, @Nullable Integer limit) {
        int most = limit == null ? LIMIT : PageLimit.of(limit, 1, LIMIT_MAX);
        return page(caller, room, new MessagesQuery(from, null, Direction.BACKWARDS, most, TimelineFilter.ALL));
    }

    /** M_INVALID_PARAM for a text that is no limit of a page. */
    static int limit(@Nullable String text) {
        return PageLimit.of(text, LIMIT, 1, LIMIT_MAX);
    }

    Mono<Messages> page(Caller caller, RoomId room, MessagesQuery request) {
        return reader.reading(caller, room)
                .zipWhen(_ -> ignoredUsers.of(caller.tenant(), caller.user()))
                .flatMap(both -> messages(both.getT1(), caller, query(both.getT1(), caller, request, both.getT2())));
    }

    record MessagesQuery(
            @Nullable String from, @Nullable String to, Direction direction, int limit, TimelineFilter filter) {}

    private PageQuery query(ReaderInRoom reading, Caller caller, MessagesQuery request, Set<String> ignored) {
        boolean isBackwards = request.direction == Direction.BACKWARDS;
        long start = isBackwards ? reading.head() : 0;
        long end = isBackwards ? 0 : reading.head();
        return new PageQuery(
                // all events of a restored history are before a position that was lost in the restore
                request.from == null ? start : pageTokens.pos(request.from, reading, caller, reading.head()),
                request.to == null ? end : pageTokens.pos(request.to, reading, caller, end),
                request.direction,
                request.limit,
                request.filter,
                ignored);
    }

    private Mono<Messages> messages(ReaderInRoom reading, Caller caller, PageQuery query) {
        return pages.page(reading, query)
                .delayUntil(page ->
                        AnswerBudget.reserve(page.members() == null ? 0 : 2 * StoredEvent.length(page.members())))
                .zipWhen(page -> shown.showAll(page.events(), reading, caller, query.ignored()))
                .map(both ->
                        messages(both.getT1().first(both.getT2().size(), query.direction()), both.getT2(), caller));
    }

    private Messages messages(Page page, List<JsonText> events, Caller caller) {
        return new Messages(
                events,
                pageTokens.write(page.start(), page.reading(), caller),
                page.end() == null ? null : pageTokens.write(page.end(), page.reading(), caller),
                page.members() == null
                        ? null
                        : page.members().stream()
                                .map(event -> shown.show(event, page.reading(), caller))
                                .toList());
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Messages(
            List<JsonText> chunk,
            String start,
            @Nullable String end,
            @Nullable List<JsonText> state) {}
}
