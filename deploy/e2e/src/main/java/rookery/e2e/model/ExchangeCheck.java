// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import rookery.e2e.model.Action.Kind;
import rookery.e2e.model.ExpectedSection.Section;
import rookery.model.token.CountsDoubt;
import rookery.model.token.SyncToken;
import tools.jackson.databind.JsonNode;

/** Compares each single response with the model, independent of earlier responses. */
final class ExchangeCheck {
    private static final long LATE_NANOS = 7_000_000_000L;
    /** The characters of a response around a difference. */
    private static final int AROUND = 300;
    /** After this time, push-service has applied a changed ignore list and the node has queried push-service again. */
    private static final long SETTLING_NANOS = 6_000_000_000L;

    private final Evidence evidence;
    private final Consumer<String> difference;
    private final Demands demands;
    private final List<Action> acts;
    private final Map<String, Unread> unread = new HashMap<>();
    private int doubtful;
    private final Map<Person, Set<String>> met = new HashMap<>();

    ExchangeCheck(Evidence evidence, Demands demands, Consumer<String> difference) {
        this.evidence = evidence;
        this.demands = demands;
        this.difference = difference;
        this.acts = evidence.history().acts();
    }

    void check(Exchange exchange) {
        Consumer<String> here = what -> difference.accept("%s: %s".formatted(exchange, what));
        var since = evidence.token(exchange.person(), exchange.request().since());
        var next = evidence.token(exchange.person(), exchange.next());
        if (next == null) {
            here.accept("no next_batch");
            return;
        }
        if (since != null && (!next.rooms().isAtLeast(since.rooms()) || next.userPos() < since.userPos())) {
            here.accept("next_batch goes back");
        }
        if (hasDoubtfulCounts(next)) {
            doubtful++;
        }
        var knownMembers = met.computeIfAbsent(exchange.person(), _ -> new HashSet<>());
        for (var story : evidence.stories().values()) {
            checkRoom(exchange, story, knownMembers, here);
        }
        for (var section : Section.values()) {
            exchange.rooms(section.word).propertyStream().forEach(room -> {
                if (!evidence.stories().containsKey(room.getKey())) {
                    here.accept("contains an unknown room: " + room.getKey());
                }
                remember(room.getValue(), knownMembers);
            });
        }
        checkIgnored(exchange, here);
        if (exchange.request().isAtOnce()) {
            checkOwnWrites(exchange, here);
        } else if (demands.punctual()) {
            checkPunctual(exchange, here);
        }
    }

    private void checkRoom(Exchange exchange, RoomStory story, Set<String> knownMembers, Consumer<String> here) {
        var sections = new EnumMap<Section, JsonNode>(Section.class);
        for (var section : Section.values()) {
            var room = exchange.rooms(section.word).get(story.room());
            if (room != null) {
                sections.put(section, room);
            }
        }
        checkRoom(exchange, sections, evidence.question(exchange, story), story, knownMembers, here);
        var next = evidence.question(exchange, story).next();
        checkUnits(story, next, here);
        if (demands.counts()
                && demands.punctual()
                && !hasDoubtfulCounts(evidence.token(exchange.person(), exchange.next()))) {
            checkCounts(exchange, story, next, here);
        }
        checkRedactions(exchange.text(), story, next, here);
    }

    private void checkRoom(
            Exchange exchange,
            Map<Section, JsonNode> sections,
            RoomQuery question,
            RoomStory story,
            Set<String> knownMembers,
            Consumer<String> here) {
        var timelineOwner =
                sections.containsKey(Section.JOIN) ? sections.get(Section.JOIN) : sections.get(Section.LEAVE);
        long prevPos = timelineOwner == null
                ? -1
                : evidence.page(
                        exchange.person(),
                        timelineOwner.path("timeline").path("prev_batch").asString(""),
                        story.shard());
        var expected = ExpectedSection.of(story, question);
        new SectionCheck(story, question, expected, here).check(sections, prevPos, knownMembers);
    }

    /** A response contains a unit completely or not at all (G6). */
    private static void checkUnits(RoomStory story, long next, Consumer<String> here) {
        for (var event : story.events()) {
            if (event.pos() == next && !event.endsUnit()) {
                here.accept("next_batch cuts a unit in two, after " + event);
            }
        }
    }

    /** A response behind a redaction must not contain the redacted content. */
    private void checkRedactions(String text, RoomStory story, long next, Consumer<String> here) {
        for (var event : story.events()) {
            if (event.redacts() != null && event.pos() <= next) {
                var word = word(event.redacts());
                int at = word.isEmpty() ? -1 : text.indexOf(word);
                if (at >= 0) {
                    var around = text.substring(Math.max(0, at - AROUND), Math.min(text.length(), at + AROUND));
                    here.accept("shows %s, which was redacted by %s: …%s…".formatted(word, event, around));
                }
            }
        }
    }

    private String word(String eventId) {
        return acts.stream()
                .filter(act -> eventId.equals(act.eventId()))
                .filter(act -> act.kind() == Kind.MESSAGE || act.kind() == Kind.STATE)
                .map(Action::value)
                .findFirst()
                .orElse("");
    }

    /**
     * Whether the token marks the counts as doubtful, because push-service was unavailable to the node; a later response
     * corrects them.
     */
    private static boolean hasDoubtfulCounts(@Nullable SyncToken next) {
        return next != null && next.marks().countsDoubt() != CountsDoubt.NONE;
    }

    /** The number of responses with doubtful counts. */
    int doubtful() {
        return doubtful;
    }

    /** Unread counts must be in the same response as the events that cause them (G5). */
    private void checkCounts(Exchange exchange, RoomStory story, long next, Consumer<String> here) {
        var room = exchange.rooms(Section.JOIN.word).get(story.room());
        if (room == null) {
            return;
        }
        var user = exchange.person().id();
        var moment = new Unread.Moment(
                next,
                exchange.request().isAtOnce(),
                exchange.startNanos(),
                exchange.endNanos(),
                exchange.startNanos() - SETTLING_NANOS);
        var recount = unread.computeIfAbsent(user + story.room(), _ -> new Unread(evidence, story, user));
        var expected = recount.counts(moment);
        var wrong = expected == null
                ? null
                : UnreadCheck.wrong(expected, room, exchange.request().filter().byThread());
        if (wrong != null) {
            here.accept("counts of %s up to %d: %s; %s".formatted(story.room(), next, wrong, recount.described(next)));
        }
    }

    /** A request without a wait must return everything that was accepted before the request (G3). */
    private void checkOwnWrites(Exchange exchange, Consumer<String> here) {
        for (var act : acts) {
            var pos = evidence.place(act.eventId());
            var story = evidence.stories().get(act.room());
            boolean isEvent = act.kind() == Kind.MESSAGE || act.kind() == Kind.STATE || act.kind() == Kind.REDACTION;
            if (isEvent && act.endNanos() < exchange.startNanos()) {
                if (pos == null || story == null) {
                    here.accept("%s was accepted and is not in the log".formatted(act));
                } else if (evidence.question(exchange, story).next() < pos) {
                    here.accept("%s was accepted before, and the answer ends before it".formatted(act));
                }
            }
        }
    }

    private void checkPunctual(Exchange exchange, Consumer<String> here) {
        for (var act : acts) {
            boolean isMine = act.person().user().equals(exchange.person().user()) && act.kind() == Kind.ACCOUNT_DATA;
            if (isMine && act.endNanos() > exchange.startNanos() && exchange.endNanos() - act.endNanos() > LATE_NANOS) {
                here.accept("waited for %.1f s after %s".formatted((exchange.endNanos() - act.endNanos()) / 1e9, act));
                return;
            }
        }
    }

    /**
     * The ignore list of the response must be a list that the user has set, and not older than the last list accepted before
     * the request.
     */
    private void checkIgnored(Exchange exchange, Consumer<String> here) {
        var lists = acts.stream()
                .filter(act -> act.kind() == Kind.IGNORE
                        && act.person().user().equals(exchange.person().user()))
                .toList();
        int first = -1;
        for (int i = 0; i < lists.size() && exchange.request().isAtOnce(); i++) {
            if (lists.get(i).endNanos() < exchange.startNanos()) {
                first = i;
            }
        }
        var possible = new HashSet<String>();
        if (first < 0) {
            possible.add("");
        }
        lists.subList(Math.max(first, 0), lists.size()).forEach(act -> possible.add(act.value()));
        if (!possible.contains(String.join(",", exchange.ignored()))) {
            here.accept("ignores %s, which should be one of %s".formatted(exchange.ignored(), possible));
        }
    }

    private static void remember(JsonNode room, Set<String> knownMembers) {
        for (var part : List.of("state", "state_after", "timeline")) {
            for (var event : room.path(part).path("events")) {
                if (event.path("type").asString("").equals(Event.MEMBER)) {
                    knownMembers.add(event.path("event_id").asString(""));
                }
            }
        }
    }
}
