package rookery.e2e.model;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import rookery.e2e.model.Act.Kind;
import rookery.e2e.model.Telling.Section;
import tools.jackson.databind.JsonNode;

/** Holds each single answer against the model, whatever came before it. */
final class ExchangeCheck {
    private static final long LATE_NANOS = 7_000_000_000L;

    private final Evidence evidence;
    private final Consumer<String> difference;
    private final boolean punctual;
    private final List<Act> acts;
    private final Map<Person, Set<String>> met = new HashMap<>();

    /** @param punctual whether nothing excuses an answer that comes late */
    ExchangeCheck(Evidence evidence, boolean punctual, Consumer<String> difference) {
        this.evidence = evidence;
        this.punctual = punctual;
        this.difference = difference;
        this.acts = evidence.diary().acts();
    }

    void check(Exchange exchange) {
        Consumer<String> here = what -> difference.accept("%s: %s".formatted(exchange, what));
        var since = evidence.token(exchange.who(), exchange.asked().since());
        var next = evidence.token(exchange.who(), exchange.next());
        if (next == null) {
            here.accept("no next_batch");
            return;
        }
        if (since != null && (!next.rooms().isAtLeast(since.rooms()) || next.userPos() < since.userPos())) {
            here.accept("next_batch goes back");
        }
        var known = met.computeIfAbsent(exchange.who(), _ -> new HashSet<>());
        for (var story : evidence.stories().values()) {
            checkRoom(exchange, story, known, here);
        }
        for (var section : Section.values()) {
            exchange.rooms(section.word).propertyStream().forEach(room -> {
                if (!evidence.stories().containsKey(room.getKey())) {
                    here.accept("tells of a room that is none: " + room.getKey());
                }
                remember(room.getValue(), known);
            });
        }
        checkIgnored(exchange, here);
        if (exchange.asked().isAtOnce()) {
            checkOwnWrites(exchange, here);
        } else if (punctual) {
            checkPunctual(exchange, here);
        }
    }

    private void checkRoom(Exchange exchange, RoomStory story, Set<String> known, Consumer<String> here) {
        var told = new EnumMap<Section, JsonNode>(Section.class);
        for (var section : Section.values()) {
            var room = exchange.rooms(section.word).get(story.room());
            if (room != null) {
                told.put(section, room);
            }
        }
        List<String> fewest = null;
        for (var ignored : ignoredMeanwhile(exchange)) {
            var differences = new ArrayList<String>();
            checkRoom(exchange, told, evidence.question(exchange, story, ignored), story, known, differences::add);
            fewest = fewest == null || differences.size() < fewest.size() ? differences : fewest;
        }
        if (fewest != null) {
            fewest.forEach(here);
        }
        var next = evidence.question(exchange, story).next();
        checkUnits(story, next, here);
        checkRedactions(exchange.text(), story, next, here);
    }

    /** The list that the answer shows, and those that were in force while it was made. */
    private Set<Set<String>> ignoredMeanwhile(Exchange exchange) {
        var lists = new LinkedHashSet<Set<String>>();
        lists.add(exchange.ignored());
        var before = Set.<String>of();
        for (var act : acts) {
            if (act.kind() == Kind.IGNORE
                    && act.who().user().equals(exchange.who().user())) {
                var after = act.value().isEmpty() ? Set.<String>of() : Set.of(act.value());
                if (act.startNanos() <= exchange.endNanos() && act.endNanos() >= exchange.startNanos()) {
                    lists.add(before);
                    lists.add(after);
                }
                before = after;
            }
        }
        return lists;
    }

    private void checkRoom(
            Exchange exchange,
            Map<Section, JsonNode> told,
            Question question,
            RoomStory story,
            Set<String> known,
            Consumer<String> here) {
        var timelineOwner = told.containsKey(Section.JOIN) ? told.get(Section.JOIN) : told.get(Section.LEAVE);
        long prevPos = timelineOwner == null
                ? -1
                : evidence.page(
                        exchange.who(),
                        timelineOwner.path("timeline").path("prev_batch").asString(""),
                        story.shard());
        var expected = Telling.of(story, question);
        new TellingCheck(story, question, expected, here).check(told, prevPos, known);
    }

    /** A unit is told whole or not at all (G6). */
    private static void checkUnits(RoomStory story, long next, Consumer<String> here) {
        for (var event : story.events()) {
            if (event.pos() == next && !event.endsUnit()) {
                here.accept("next_batch cuts a unit in two, after " + event);
            }
        }
    }

    /** Once an answer stands behind a redaction, nothing in it shows what that took away. */
    private void checkRedactions(String text, RoomStory story, long next, Consumer<String> here) {
        for (var event : story.events()) {
            if (event.redacts() != null && event.pos() <= next) {
                var word = word(event.redacts());
                if (!word.isEmpty() && text.contains(word)) {
                    here.accept("shows %s, which was redacted by %s".formatted(word, event));
                }
            }
        }
    }

    private String word(String eventId) {
        return acts.stream()
                .filter(act -> eventId.equals(act.eventId()))
                .filter(act -> act.kind() == Kind.MESSAGE || act.kind() == Kind.STATE)
                .map(Act::value)
                .findFirst()
                .orElse("");
    }

    /** Whoever does not wait is told what was accepted before they asked (G3). */
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
            boolean isMine = act.who().user().equals(exchange.who().user()) && act.kind() == Kind.ACCOUNT_DATA;
            if (isMine && act.endNanos() > exchange.startNanos() && exchange.endNanos() - act.endNanos() > LATE_NANOS) {
                here.accept("waited for %.1f s after %s".formatted((exchange.endNanos() - act.endNanos()) / 1e9, act));
                return;
            }
        }
    }

    /** The list in the answer is one that the user has set, and not older than the last one accepted before. */
    private void checkIgnored(Exchange exchange, Consumer<String> here) {
        var lists = acts.stream()
                .filter(act -> act.kind() == Kind.IGNORE
                        && act.who().user().equals(exchange.who().user()))
                .toList();
        int first = -1;
        for (int i = 0; i < lists.size() && exchange.asked().isAtOnce(); i++) {
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

    private static void remember(JsonNode room, Set<String> known) {
        for (var part : List.of("state", "state_after", "timeline")) {
            for (var event : room.path(part).path("events")) {
                if (event.path("type").asString("").equals(Event.MEMBER)) {
                    known.add(event.path("event_id").asString(""));
                }
            }
        }
    }
}
