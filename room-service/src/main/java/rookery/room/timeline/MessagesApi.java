package rookery.room.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
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
import rookery.model.filter.EventFilter;
import rookery.model.id.RoomId;
import rookery.model.token.PageToken;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.platform.event.FilterReader;
import rookery.platform.http.JsonBody;
import rookery.platform.json.JsonText;
import rookery.platform.json.StrictJson;
import rookery.room.inbox.IgnoredUsers;
import rookery.room.timeline.PageReader.Direction;
import rookery.room.timeline.PageReader.Page;
import rookery.room.timeline.PageReader.Wanted;
import rookery.room.timeline.RoomReader.Reading;

/** Pages of a room's history (CONTRACT.md 11.1, D12 to D14). Errors: M_FORBIDDEN, M_INVALID_PARAM, M_NOT_JSON, M_BAD_JSON. */
@RestController
class MessagesApi {
    private static final int LIMIT_MAX = 100;

    private final RoomReader reader;
    private final PageReader pages;
    private final ShownEvents shown;
    private final IgnoredUsers ignoredUsers;
    private final TokenCodec tokens;

    MessagesApi(RoomReader reader, PageReader pages, ShownEvents shown, IgnoredUsers ignoredUsers, TokenCodec tokens) {
        this.reader = reader;
        this.pages = pages;
        this.shown = shown;
        this.ignoredUsers = ignoredUsers;
        this.tokens = tokens;
    }

    @GetMapping("/_api/client/v3/rooms/{roomId}/messages")
    Mono<Messages> messages(
            Caller caller,
            @PathVariable RoomId roomId,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(defaultValue = "b") String dir,
            @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String filter) {
        if (limit <= 0) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "limit must be at least 1");
        }
        var direction = direction(dir);
        var wanted = filter == null ? EventFilter.ALL : FilterReader.event(new JsonBody(StrictJson.object(filter)));
        var asked = new Asked(from, to, direction, Math.min(limit, LIMIT_MAX), wanted);
        return reader.reading(caller, roomId)
                .zipWhen(_ -> ignoredUsers.of(caller.tenant(), caller.user()))
                .flatMap(both -> messages(both.getT1(), caller, wanted(both.getT1(), caller, asked, both.getT2())));
    }

    private static Direction direction(String dir) {
        return switch (dir) {
            case "b" -> Direction.BACKWARDS;
            case "f" -> Direction.FORWARDS;
            default -> throw new ApiException(ErrorCode.M_INVALID_PARAM, "dir is b or f");
        };
    }

    private record Asked(
            @Nullable String from, @Nullable String to, Direction direction, int limit, EventFilter filter) {}

    private Wanted wanted(Reading reading, Caller caller, Asked asked, Set<String> ignored) {
        long newest = asked.direction == Direction.BACKWARDS ? reading.statePos() : 0;
        long end = asked.direction == Direction.BACKWARDS ? 0 : reading.head();
        return new Wanted(
                asked.from == null ? newest : pos(asked.from, reading, caller),
                asked.to == null ? end : pos(asked.to, reading, caller),
                asked.direction,
                asked.limit,
                asked.filter,
                ignored);
    }

    /** A token of an older epoch is a place in a history that was restored: everything there is lies before it. */
    private long pos(String token, Reading reading, Caller caller) {
        var page = tokens.readPage(token, owner(caller), reading.shard());
        return page.epoch() == reading.epoch() ? Math.min(page.pos(), reading.head()) : reading.head();
    }

    private Mono<Messages> messages(Reading reading, Caller caller, Wanted wanted) {
        return pages.page(reading, wanted)
                .zipWhen(page -> shown.showAll(page.events(), reading, caller, wanted.ignored()))
                .map(both -> messages(both.getT1(), both.getT2(), caller));
    }

    private Messages messages(Page page, List<JsonText> events, Caller caller) {
        return new Messages(
                events,
                token(page.start(), page.reading(), caller),
                page.end() == null ? null : token(page.end(), page.reading(), caller),
                page.members() == null
                        ? null
                        : page.members().stream()
                                .map(event -> shown.show(event, page.reading(), caller))
                                .toList());
    }

    private String token(long pos, Reading reading, Caller caller) {
        return tokens.write(new PageToken(reading.epoch(), reading.shard(), pos), owner(caller));
    }

    private static TokenOwner owner(Caller caller) {
        return new TokenOwner(caller.tenant(), caller.user());
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Messages(
            List<JsonText> chunk,
            String start,
            @Nullable String end,
            @Nullable List<JsonText> state) {}
}
