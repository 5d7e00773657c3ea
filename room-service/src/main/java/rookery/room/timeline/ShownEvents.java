// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.UserId;
import rookery.platform.event.EventText;
import rookery.platform.http.AnswerBudget;
import rookery.platform.http.PageBytes;
import rookery.platform.json.JsonText;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.authorization.HistoryVisibility.VisibilityFacts;
import rookery.room.authorization.MemberHistory;
import rookery.room.inbox.IgnoredUsers;
import rookery.room.redaction.ErasedSenders;
import rookery.room.relation.Audience;
import rookery.room.relation.Bundles;
import rookery.room.relation.Bundles.PageBundles;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/**
 * Renders events for one reader outside of a sync: with {@code room_id} and the fields that depend on the
 * reader (contract.md 9.1).
 */
@Component
public class ShownEvents {
    private final Bundles bundles;
    private final ErasedSenders erased;
    private final IgnoredUsers ignoredUsers;
    private final Clock clock;

    ShownEvents(Bundles bundles, ErasedSenders erased, IgnoredUsers ignoredUsers, Clock clock) {
        this.bundles = bundles;
        this.erased = erased;
        this.ignoredUsers = ignoredUsers;
        this.clock = clock;
    }

    /**
     * Renders events of one room in order, with bundled relations (contract.md 9.7): the first events that fit into the bytes of
     * a page, at least one.
     */
    public Mono<List<JsonText>> showAll(List<StoredEvent> events, ReaderInRoom reading, Caller caller) {
        return ignoredUsers
                .of(caller.tenant(), caller.user())
                .flatMap(ignored -> showAll(events, reading, caller, ignored));
    }

    /** The same for callers that already know the reader's ignored users. */
    public Mono<List<JsonText>> showAll(
            List<StoredEvent> events, ReaderInRoom reading, Caller caller, Set<String> ignored) {
        var audience = new Audience(
                reading.room(),
                reading.shard(),
                caller.user(),
                caller.device(),
                reading.history(),
                reading.statePos(),
                true,
                ignored);
        return AnswerBudget.reserve(2 * StoredEvent.length(events))
                .then(erased.stripped(reading.room(), reading.history(), events))
                .zipWhen(stripped -> bundles.of(audience, stripped))
                .delayUntil(both -> AnswerBudget.reserve(2 * both.getT2().length()))
                .map(both -> show(both.getT1(), both.getT2(), reading, caller));
    }

    private List<JsonText> show(List<StoredEvent> events, PageBundles bundled, ReaderInRoom reading, Caller caller) {
        var texts = new ArrayList<JsonText>();
        long bytes = 0;
        for (var event : events.subList(0, bundled.completeOfOnly())) {
            if (bytes >= PageBytes.PAGE_MAX) {
                break;
            }
            var relations = bundled.texts().get(event.event().meta().eventId());
            var text = show(event, reading, caller, relations);
            bytes += PageBytes.of(text.text());
            texts.add(text);
        }
        return texts;
    }

    /** Texts of events without bundled relations. */
    public List<String> texts(List<StoredEvent> events, ReaderInRoom reading, Caller caller) {
        return events.stream().map(event -> show(event, reading, caller).text()).toList();
    }

    /** One event without bundled relations. */
    public JsonText show(StoredEvent event, ReaderInRoom reading, Caller caller) {
        return show(event, reading, caller, null);
    }

    private JsonText show(StoredEvent event, ReaderInRoom reading, Caller caller, @Nullable String relations) {
        var reader = new EventText.Reader(
                caller.user(),
                caller.device(),
                reading.history().at(event.pos()),
                sawPrevious(event, caller.user(), reading.history()),
                isPending(event, reading.history()));
        return new JsonText(EventText.render(event.event(), reading.room().room(), reader, relations, clock.millis()));
    }

    private static boolean isPending(StoredEvent event, MemberHistory history) {
        var spans = history.spans();
        return !spans.isEmpty() && spans.getLast().from() == event.pos();
    }

    /** Whether a message event is left out for a reader who ignores these users; state events are not. */
    static boolean isIgnored(StoredEvent event, Set<String> ignored) {
        var meta = event.event().meta();
        return meta.stateKey() == null && ignored.contains(meta.sender().value());
    }

    /** Whether the reader may see the state event replaced by this event. */
    public static boolean sawPrevious(StoredEvent event, UserId user, MemberHistory history) {
        var replaced = event.event().meta().replaces();
        @Nullable
        String member = event.event().meta().membership() == null
                ? null
                : event.event().meta().stateKey();
        return replaced != null
                && HistoryVisibility.isVisible(
                        new VisibilityFacts(replaced.pos(), replaced.visibility(), null, member), user, history);
    }
}
