// SPDX-License-Identifier: Apache-2.0
package rookery.room.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.platform.http.JsonBody;
import rookery.platform.json.JsonText;
import rookery.platform.runtime.Turnstile;
import rookery.room.search.SearchPlace.Group;
import rookery.room.search.SearchRequest.Grouping;
import rookery.room.search.SearchResults.Page;
import rookery.room.search.SearchResults.ResultWithContext;
import rookery.room.search.SearchRows.Hit;
import rookery.room.search.Searcher.ResultPage;
import rookery.room.table.SearchWords;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.PageTokens;

/**
 * Searches messages, names and topics (contract.md 13.7). For a word in more than {@link SearchRows#HITS_MAX} rows, only the
 * newest messages and a sample of the others are ranked. Errors: M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM.
 */
@RestController
class SearchApi {
    /** Waiting searches for each one that is run. */
    private static final int WAITING = 4;

    private final Turnstile turns;
    private final Searcher searcher;
    private final SearchResults results;
    private final PageTokens pageTokens;
    private final TokenCodec tokens;

    SearchApi(
            SearchProperties properties,
            Searcher searcher,
            SearchResults results,
            PageTokens pageTokens,
            TokenCodec tokens) {
        // a search reads some megabytes of hits and contexts before the size of the page is known
        this.turns = new Turnstile(properties.atOnce(), properties.atOnce() * WAITING);
        this.searcher = searcher;
        this.results = results;
        this.pageTokens = pageTokens;
        this.tokens = tokens;
    }

    @PostMapping("/_api/client/v3/search")
    Mono<SearchAnswer> search(
            Caller caller,
            JsonBody body,
            @RequestParam(name = "next_batch", required = false) @Nullable String nextBatch) {
        var request = SearchRequest.of(body);
        var owner = new TokenOwner(caller.tenant(), caller.user());
        var after = nextBatch == null ? null : SearchPlace.of(tokens.read(SearchPlace.KIND, nextBatch, owner));
        var answer = searcher.search(caller, request, after)
                .flatMap(matches -> results.page(caller, request, matches)
                        .map(page -> answer(caller, request, matches, page, after)));
        return turns.pass(caller.tenant(), caller.user(), answer);
    }

    private SearchAnswer answer(
            Caller caller, SearchRequest request, ResultPage matches, Page page, @Nullable SearchPlace after) {
        var answers = page.results().stream()
                .map(result -> result(caller, result, page))
                .toList();
        var events = new RoomEvents(
                matches.count(),
                SearchWords.highlights(request.term()),
                answers,
                request.includeState() ? state(page) : null,
                request.groups().isEmpty() ? null : groups(caller, request, page),
                next(caller, request, page.last(), after == null ? null : after.group()));
        return new SearchAnswer(new Categories(events));
    }

    private @Nullable String next(Caller caller, SearchRequest request, @Nullable Hit last, @Nullable Group group) {
        byte[] place = last == null
                ? null
                : SearchPlace.after(last, request.recent(), group).bytes();
        return place == null
                ? null
                : tokens.write(SearchPlace.KIND, place, new TokenOwner(caller.tenant(), caller.user()));
    }

    private ResultAnswer result(Caller caller, ResultWithContext item, Page page) {
        var hit = item.result().hit();
        return new ResultAnswer(hit.rank(), text(page, item, item.result().event()), context(caller, item, page));
    }

    private static JsonText text(Page page, ResultWithContext item, StoredEvent event) {
        var room = Objects.requireNonNull(page.texts().get(item.result().hit().room()));
        return Objects.requireNonNull(room.get(event.pos()));
    }

    private @Nullable ContextAnswer context(Caller caller, ResultWithContext item, Page page) {
        var context = item.context();
        if (context == null) {
            return null;
        }
        var reading = item.result().room().reading();
        return new ContextAnswer(
                pageTokens.write(context.start(), reading, caller),
                pageTokens.write(context.end(), reading, caller),
                context.before().stream().map(event -> text(page, item, event)).toList(),
                context.after().stream().map(event -> text(page, item, event)).toList(),
                item.members() == null ? null : profiles(item.members()));
    }

    private static Map<String, Profile> profiles(List<StoredEvent> members) {
        var profiles = new LinkedHashMap<String, Profile>();
        for (var member : members) {
            var content = member.content();
            profiles.put(
                    String.valueOf(member.event().meta().stateKey()),
                    new Profile(
                            content.path("displayname").stringValue(null),
                            content.path("avatar_url").stringValue(null)));
        }
        return profiles;
    }

    private static Map<String, List<JsonText>> state(Page page) {
        var state = new HashMap<String, List<JsonText>>();
        page.state().forEach((room, events) -> state.put(room.value(), events));
        return state;
    }

    /** The results of the page by room or sender, the group with the best result first. */
    private Map<String, Map<String, GroupAnswer>> groups(Caller caller, SearchRequest request, Page page) {
        var groups = new LinkedHashMap<String, Map<String, GroupAnswer>>();
        for (var grouping : request.groups()) {
            var members = new LinkedHashMap<String, List<String>>();
            for (var item : page.results()) {
                var meta = item.result().event().event().meta();
                String value = grouping == Grouping.ROOM
                        ? item.result().hit().room().value()
                        : meta.sender().value();
                members.computeIfAbsent(value, _ -> new ArrayList<>())
                        .add(meta.eventId().value());
            }
            var answers = new LinkedHashMap<String, GroupAnswer>();
            members.forEach((value, ids) -> {
                var next = next(caller, request, page.last(), new Group(grouping, value));
                answers.put(value, new GroupAnswer(answers.size(), ids, next));
            });
            groups.put(grouping.word, answers);
        }
        return groups;
    }

    record SearchAnswer(@JsonProperty("search_categories") Categories searchCategories) {}

    record Categories(@JsonProperty("room_events") RoomEvents roomEvents) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RoomEvents(
            long count,
            List<String> highlights,
            List<ResultAnswer> results,
            @Nullable Map<String, List<JsonText>> state,
            @Nullable Map<String, Map<String, GroupAnswer>> groups,
            @JsonProperty("next_batch") @Nullable String nextBatch) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ResultAnswer(
            double rank, JsonText result, @Nullable ContextAnswer context) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ContextAnswer(
            String start,
            String end,
            @JsonProperty("events_before") List<JsonText> eventsBefore,
            @JsonProperty("events_after") List<JsonText> eventsAfter,
            @JsonProperty("profile_info") @Nullable Map<String, Profile> profileInfo) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Profile(
            @Nullable String displayname,
            @JsonProperty("avatar_url") @Nullable String avatarUrl) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record GroupAnswer(
            int order,
            List<String> results,
            @JsonProperty("next_batch") @Nullable String nextBatch) {}
}
