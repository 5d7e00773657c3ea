// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Follows a connection of sliding sync from answer to answer: each visible event of a room comes once and in order, or lies in a gap
 * that is marked and can be paged back; the client's state is that of the room.
 */
final class SlidingCheck {
    private final Evidence evidence;
    private final List<SlidingExchange> exchanges;
    /** Users whom the reader has ignored at some time: their messages and invitations may be missing. */
    private final Set<String> everIgnored;

    private final Consumer<String> difference;
    private final Map<String, RoomView> rooms = new HashMap<>();

    /** The client's knowledge of a room. */
    private static final class RoomView {
        final Map<Event.Key, String> state = new HashMap<>();
        String membership = "";
        /** The position of the last answer with the room. */
        long upTo;

        int joined = -1;
        int invited = -1;
        String name = "";
    }

    SlidingCheck(Evidence evidence, List<SlidingExchange> exchanges, Consumer<String> difference) {
        this.evidence = evidence;
        this.exchanges = exchanges;
        this.difference = difference;
        this.everIgnored = new HashSet<>();
        evidence.history().acts().stream()
                .filter(act -> act.kind() == Action.Kind.IGNORE)
                .filter(act -> act.person().equals(exchanges.getFirst().person())
                        || act.person()
                                .id()
                                .equals(exchanges.getFirst().person().id()))
                .forEach(act -> everIgnored.addAll(List.of(act.value().split(","))));
    }

    void follow() {
        for (var exchange : exchanges) {
            Consumer<String> here = text -> difference.accept("%s: %s".formatted(exchange, text));
            var next = evidence.token(exchange.person(), exchange.pos());
            if (next == null) {
                here.accept("no pos");
                return;
            }
            for (var room : exchange.answer().path("rooms").properties()) {
                var story = evidence.stories().get(room.getKey());
                if (story == null) {
                    here.accept("an unknown room " + room.getKey());
                    continue;
                }
                long at = next.rooms().at(story.shard());
                new RoomAnswer(exchange, story, room.getValue(), at, text -> here.accept(room.getKey() + " " + text))
                        .check();
            }
        }
        checkEnd(exchanges.getLast());
    }

    private void checkEnd(SlidingExchange last) {
        var next = evidence.token(last.person(), last.pos());
        if (!last.isEnd() || next == null) {
            return;
        }
        var user = last.person().id();
        evidence.stories().forEach((room, story) -> {
            long at = next.rooms().at(story.shard());
            var membership = story.membership(user, at);
            var known = rooms.get(room);
            if (membership.equals("join")) {
                if (known == null || !known.membership.equals("join")) {
                    difference.accept("%s at the end: the joined room %s is missing".formatted(last, room));
                } else {
                    var missing = wanted(story, user, known.upTo, at);
                    if (!missing.isEmpty()) {
                        difference.accept("%s at the end: %s lacks %s".formatted(last, room, missing));
                    }
                }
            } else if (known != null && known.membership.equals("join")) {
                difference.accept("%s at the end: %s is shown as joined, and is %s".formatted(last, room, membership));
            }
        });
    }

    /** The visible events that no ignore list may hide. */
    private List<Event> wanted(RoomStory story, String user, long after, long upto) {
        return visible(story, user, after, upto).stream()
                .filter(event -> event.stateKey() != null || !everIgnored.contains(event.sender()))
                .toList();
    }

    private static List<Event> visible(RoomStory story, String user, long after, long upto) {
        return story.events().stream()
                .filter(event -> event.pos() > after && event.pos() <= upto && story.isVisible(event, user, upto))
                .toList();
    }

    /** A room of an answer. */
    private final class RoomAnswer {
        private final SlidingExchange exchange;
        private final RoomStory story;
        private final JsonNode result;
        private final long at;
        private final Consumer<String> here;
        private final String user;

        RoomAnswer(SlidingExchange exchange, RoomStory story, JsonNode result, long at, Consumer<String> here) {
            this.exchange = exchange;
            this.story = story;
            this.result = result;
            this.at = at;
            this.here = here;
            this.user = exchange.person().id();
        }

        void check() {
            var membership = isHiddenInvitation() ? "leave" : story.membership(user, at);
            if (!result.path("membership").asString("").equals(membership)) {
                here.accept("is shown as %s and is %s".formatted(result.path("membership"), membership));
                return;
            }
            switch (membership) {
                case "join" -> joined();
                case "invite", "knock" -> {
                    if (!result.path("stripped_state").isArray()) {
                        here.accept("has no stripped state");
                    }
                    know(new RoomView(), membership);
                }
                default -> rooms.remove(story.room());
            }
        }

        /** Whether the user left, and a user whom the reader had ignored by then sent an invitation: the leave is shown. */
        private boolean isHiddenInvitation() {
            return story.membership(user, at).equals("invite")
                    && result.path("membership").asString("").equals("leave")
                    && everIgnored.contains(
                            story.ownEvents(user, 0, at).getLast().sender());
        }

        private RoomView know(RoomView known, String membership) {
            known.membership = membership;
            known.upTo = at;
            rooms.put(story.room(), known);
            return known;
        }

        private void joined() {
            var before = rooms.get(story.room());
            boolean isNew =
                    before == null || !before.membership.equals("join") || story.joinedFrom(user, at) > before.upTo;
            boolean isInitial = result.path("initial").asBoolean(false);
            if (isNew != isInitial) {
                here.accept(isNew ? "is new to the client and not initial" : "is initial again");
            }
            long from = before == null || isNew ? 0 : before.upTo;
            checkTimeline(from);
            var known = know(isNew || before == null ? new RoomView() : before, "join");
            checkState(known);
            known.joined = result.path("joined_count").asInt(known.joined);
            known.invited = result.path("invited_count").asInt(known.invited);
            if (known.joined != story.count("join", at) || known.invited != story.count("invite", at)) {
                here.accept("has %d and %d members in the answer, and %d and %d in the log"
                        .formatted(known.joined, known.invited, story.count("join", at), story.count("invite", at)));
            }
            known.name = result.has("name") ? result.path("name").asString("") : known.name;
            var name = story.value(new Event.Key("m.room.name", ""), at);
            if (!known.name.equals(
                    name == null ? "" : name.content().path("name").asString(""))) {
                here.accept("is named " + known.name);
            }
        }

        private void checkTimeline(long from) {
            var ids = result.path("timeline_events")
                    .valueStream()
                    .map(event -> event.path("event_id").asString(""))
                    .toList();
            boolean isLimited = result.path("limited").asBoolean(false);
            boolean isExpanded = result.path("expanded_timeline").asBoolean(false);
            int limit = exchange.limit(story.room(), result);
            if (ids.size() > limit) {
                here.accept("has %d events with a limit of %d".formatted(ids.size(), limit));
            }
            var events = events(ids);
            if (events == null) {
                return;
            }
            long first = events.isEmpty() ? at + 1 : events.getFirst().pos();
            if (!isExpanded && first <= from) {
                here.accept("repeats %s".formatted(events.getFirst()));
            }
            long begin = isLimited || isExpanded ? first - 1 : from;
            var missing = new ArrayList<>(wanted(story, user, begin, at));
            missing.removeAll(events);
            if (!missing.isEmpty()) {
                here.accept("lacks %s after %d%s".formatted(missing, begin, isLimited ? ", limited" : ""));
            }
            var hidden = new ArrayList<>(events);
            hidden.removeAll(visible(story, user, 0, at));
            if (!hidden.isEmpty()) {
                here.accept("shows %s, which the reader may not see".formatted(hidden));
            }
            if (isLimited) {
                long page = evidence.page(
                        exchange.person(), result.path("prev_batch").asString(""), story.shard());
                var skipped = wanted(story, user, Math.max(page, from), first - 1);
                if (!events.isEmpty() && !skipped.isEmpty()) {
                    here.accept("has a prev_batch at %d that skips %s".formatted(page, skipped));
                }
            }
        }

        /** Null with a difference if the log lacks an event, or has them in another order. */
        private @Nullable List<Event> events(List<String> ids) {
            var byId = new HashMap<String, Event>();
            story.events().forEach(event -> byId.put(event.id(), event));
            var events = new ArrayList<Event>();
            for (var id : ids) {
                var event = byId.get(id);
                if (event == null || event.pos() > at) {
                    here.accept("shows %s, which is not in the log up to %d".formatted(id, at));
                    return null;
                }
                if (!events.isEmpty() && events.getLast().pos() >= event.pos()) {
                    here.accept("shows %s after %s".formatted(event, events.getLast()));
                    return null;
                }
                events.add(event);
            }
            return events;
        }

        private void checkState(RoomView known) {
            for (var event : result.path("required_state")) {
                var key = new Event.Key(
                        event.path("type").asString(""), event.path("state_key").asString(""));
                known.state.put(key, event.path("event_id").asString(""));
            }
            story.state(at).forEach((key, event) -> {
                var shown = known.state.get(key);
                boolean isOptional = event.isMember() && exchange.isLazy() && shown == null;
                if (!isOptional && !event.id().equals(shown)) {
                    here.accept("has %s as state, and the log %s".formatted(shown, event));
                }
            });
            if (exchange.isLazy()) {
                for (var event : result.path("timeline_events")) {
                    var sender = event.path("sender").asString("");
                    if (!known.state.containsKey(new Event.Key(Event.MEMBER, sender))) {
                        here.accept("shows an event of %s without the member event".formatted(sender));
                    }
                }
            }
        }
    }
}
