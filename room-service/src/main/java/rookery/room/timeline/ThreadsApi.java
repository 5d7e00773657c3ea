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
import rookery.model.id.RoomId;
import rookery.platform.json.JsonText;
import rookery.room.inbox.IgnoredUsers;
import rookery.room.relation.ThreadRoots;
import rookery.room.relation.ThreadRoots.ThreadQuery;
import rookery.room.relation.ThreadRoots.ThreadRoot;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import rookery.room.timeline.SparsePages.Page;

/** Threads of a room, the thread with the newest reply first (contract.md 11.1). Errors: M_FORBIDDEN, M_INVALID_PARAM. */
@RestController
class ThreadsApi {
    private static final int LIMIT = 20;
    private static final int LIMIT_MAX = 100;

    private final RoomReader reader;
    private final ThreadRoots roots;
    private final ShownEvents shown;
    private final IgnoredUsers ignoredUsers;
    private final PageTokens tokens;

    ThreadsApi(RoomReader reader, ThreadRoots roots, ShownEvents shown, IgnoredUsers ignoredUsers, PageTokens tokens) {
        this.reader = reader;
        this.roots = roots;
        this.shown = shown;
        this.ignoredUsers = ignoredUsers;
        this.tokens = tokens;
    }

    @GetMapping("/_api/client/v1/rooms/{roomId}/threads")
    Mono<Threads> threads(
            Caller caller,
            @PathVariable RoomId roomId,
            @RequestParam(defaultValue = "all") String include,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String limit) {
        int most = PageLimit.of(limit, LIMIT, 1, LIMIT_MAX);
        if (!include.equals("all") && !include.equals("participated")) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "include is all or participated");
        }
        var request = new ThreadsQuery(include.equals("participated"), from, most);
        return reader.reading(caller, roomId)
                .zipWhen(_ -> ignoredUsers.of(caller.tenant(), caller.user()))
                .flatMap(both -> threads(caller, both.getT1(), request, both.getT2()));
    }

    private record ThreadsQuery(boolean mine, @Nullable String from, int limit) {}

    private Mono<Threads> threads(Caller caller, ReaderInRoom reading, ThreadsQuery request, Set<String> ignored) {
        return page(caller, reading, request, ignored)
                .zipWhen(page ->
                        shown.showAll(page.rows().stream().map(ThreadRoot::root).toList(), reading, caller, ignored))
                .map(both -> answer(
                        caller,
                        reading,
                        both.getT1().first(both.getT2().size(), ThreadsApi::placeAfter),
                        both.getT2()));
    }

    private Mono<Page<ThreadRoot>> page(
            Caller caller, ReaderInRoom reading, ThreadsQuery request, Set<String> ignored) {
        boolean everything = reading.isJoined() && ignored.isEmpty();
        var query =
                new ThreadQuery(reading.room(), caller.user(), request.mine, reading.statePos(), everything, ignored);
        long from = request.from == null ? reading.head() : tokens.pos(request.from, reading, caller, reading.head());
        return SparsePages.read(
                (place, limit) -> roots.stretch(query, place, limit),
                thread -> reading.sees(thread.root()) && !ShownEvents.isIgnored(thread.root(), ignored),
                ThreadsApi::placeAfter,
                from,
                request.limit);
    }

    private static long placeAfter(ThreadRoot thread) {
        return thread.latest() - 1;
    }

    private Threads answer(Caller caller, ReaderInRoom reading, Page<ThreadRoot> page, List<JsonText> chunk) {
        return new Threads(chunk, page.next() == null ? null : tokens.write(page.next(), reading, caller));
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Threads(
            List<JsonText> chunk,
            @JsonProperty("next_batch") @Nullable String nextBatch) {}
}
