// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenCodec;

/** The evidence of a conversation: the clients' records, the log, and the content of tokens. */
final class Evidence {
    private final History history;
    private final Map<String, RoomStory> stories;
    private final TokenCodec tokens;
    private final Map<String, Long> places = new HashMap<>();

    Evidence(History history, Map<String, RoomStory> stories, TokenCodec tokens) {
        this.history = history;
        this.stories = Map.copyOf(stories);
        this.tokens = tokens;
        stories.values().forEach(story -> story.events().forEach(event -> places.put(event.id(), event.pos())));
    }

    History history() {
        return history;
    }

    Map<String, RoomStory> stories() {
        return stories;
    }

    /** The position of an event; null for an id that the log does not contain. */
    @Nullable
    Long place(@Nullable String eventId) {
        return eventId == null ? null : places.get(eventId);
    }

    /** Decodes a token; null without a valid token. */
    @Nullable
    SyncToken token(Person person, @Nullable String text) {
        return text == null ? null : tokens.readSync(text, person.owner());
    }

    long page(Person person, String text, int shard) {
        return text.isEmpty()
                ? -1
                : tokens.readPage(text, person.owner(), shard).pos();
    }

    /** The ignored users without the user itself, because a user's own events are never ignored. */
    private static Set<String> ignoredOthers(Exchange exchange) {
        var ignored = new HashSet<>(exchange.ignored());
        ignored.remove(exchange.person().id());
        return ignored;
    }

    RoomQuery question(Exchange exchange, RoomStory story) {
        var since = token(exchange.person(), exchange.request().since());
        var next = token(exchange.person(), exchange.next());
        return new RoomQuery(
                exchange.person().id(),
                since == null,
                since == null ? 0 : since.rooms().at(story.shard()),
                next == null ? 0 : next.rooms().at(story.shard()),
                exchange.request().filter(),
                exchange.request().fullState(),
                exchange.request().stateAfter(),
                ignoredOthers(exchange));
    }
}
