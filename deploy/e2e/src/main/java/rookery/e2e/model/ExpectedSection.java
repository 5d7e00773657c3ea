// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The expected section of a room in a sync response: contract.md 10.4 as a pure function of the room's history and the query.
 *
 * @param fresh whether the section replaces the client's state of the room
 * @param from the position after which the timeline may begin
 * @param end the position at which the section ends: the end of the response, or the user's leave
 * @param wasThere whether the user was a member within the range of the section
 * @param state before lazy loading
 * @param changed state with a value unknown to the client
 */
record ExpectedSection(
        Section section,
        boolean fresh,
        long from,
        long end,
        boolean wasThere,
        List<Event> timeline,
        boolean limited,
        Map<Event.Key, Event> state,
        Map<Event.Key, Event> changed) {
    private static final Set<String> INSIDE = Set.of("join", "invite", "knock");

    /** The sections of a sync response. */
    enum Section {
        JOIN("join"),
        INVITE("invite"),
        KNOCK("knock"),
        LEAVE("leave");

        final String word;

        Section(String word) {
            this.word = word;
        }
    }

    /** Returns null when the response must not contain the room. */
    static @Nullable ExpectedSection of(RoomStory story, RoomQuery question) {
        var user = question.user();
        if (question.filter().notRooms().contains(story.room())) {
            return null;
        }
        var now = story.membership(user, question.next());
        boolean ownChange =
                !story.ownEvents(user, question.since(), question.next()).isEmpty();
        return switch (now) {
            case "" -> null;
            case "join" -> {
                boolean fresh = question.initial() || story.joinedFrom(user, question.next()) > question.since();
                yield whole(story, question, Section.JOIN, fresh, question.next());
            }
            case "invite" ->
                // a hidden invitation does not hide the earlier leave
                isInvitedByIgnored(story, question)
                        ? left(story, question)
                        : ownChange ? bare(Section.INVITE, question) : null;
            case "knock" -> ownChange ? bare(Section.KNOCK, question) : null;
            default -> left(story, question);
        };
    }

    private static boolean isInvitedByIgnored(RoomStory story, RoomQuery question) {
        var own = story.ownEvents(question.user(), 0, question.next()).getLast();
        return question.ignored().contains(own.sender());
    }

    private static ExpectedSection bare(Section section, RoomQuery question) {
        return new ExpectedSection(
                section, true, question.since(), question.next(), false, List.of(), false, Map.of(), Map.of());
    }

    private static @Nullable ExpectedSection left(RoomStory story, RoomQuery question) {
        var user = question.user();
        long end = -1;
        var before = "";
        for (var own : story.ownEvents(user, 0, question.next())) {
            if (INSIDE.contains(before) && !INSIDE.contains(own.membership())) {
                end = own.pos();
            }
            before = own.membership();
        }
        if (end < 0) {
            return null; // banned without an earlier membership
        }
        boolean everJoined = story.joinedIn(user, 0, end);
        if (question.initial() ? !question.filter().includeLeave() || !everJoined : end <= question.since()) {
            return null;
        }
        boolean fresh = question.initial()
                || (!story.membership(user, question.since()).equals("join")
                        && story.joinedIn(user, question.since(), end));
        return whole(story, question, Section.LEAVE, fresh, end);
    }

    private static ExpectedSection whole(
            RoomStory story, RoomQuery question, Section section, boolean fresh, long end) {
        long from = fresh ? 0 : question.since();
        var shown = new ArrayList<Event>();
        for (var event : story.events()) {
            if (event.pos() > from
                    && event.pos() <= end
                    && question.shows(event)
                    && isTold(story, question, section, event, end)) {
                shown.add(event);
            }
        }
        int limit = question.filter().timelineLimit();
        int first = Math.max(afterOutdated(story, question, section, shown, end), shown.size() - limit);
        boolean limited = first > 0;
        var timeline = List.copyOf(shown.subList(first, shown.size()));
        boolean wasThere = section == Section.JOIN
                || fresh
                || story.membership(question.user(), question.since()).equals("join");
        return new ExpectedSection(
                section,
                fresh,
                from,
                end,
                wasThere,
                timeline,
                limited,
                wasThere ? state(story, question, fresh, end, timeline, limited) : ownEnd(story, question, end),
                changed(story, question.initial() ? 0 : question.since(), end));
    }

    /**
     * The first index of the timeline: clients treat the last state event of a timeline as current, so a state event is left out
     * when the user may not see its current successor.
     */
    private static int afterOutdated(
            RoomStory story, RoomQuery question, Section section, List<Event> shown, long end) {
        var newest = story.state(end);
        for (int i = shown.size() - 1; i >= 0; i--) {
            var now = newest.get(shown.get(i).key());
            if (now != null && now.pos() != shown.get(i).pos() && !isTold(story, question, section, now, end)) {
                return i + 1;
            }
        }
        return 0;
    }

    /** The leave event itself is always shown; other events only to users who have joined. */
    private static boolean isTold(RoomStory story, RoomQuery question, Section section, Event event, long end) {
        boolean isOwnEnd = section == Section.LEAVE && event.pos() == end;
        boolean everJoined = section == Section.JOIN || story.joinedIn(question.user(), 0, end);
        return isOwnEnd || (everJoined && story.isVisible(event, question.user(), end));
    }

    private static Map<Event.Key, Event> changed(RoomStory story, long since, long end) {
        var before = story.state(since);
        var changed = new LinkedHashMap<Event.Key, Event>();
        story.state(end).forEach((key, event) -> {
            var old = before.get(key);
            if (old == null || old.pos() != event.pos()) {
                changed.put(key, event);
            }
        });
        return changed;
    }

    private static Map<Event.Key, Event> state(
            RoomStory story, RoomQuery question, boolean fresh, long end, List<Event> timeline, boolean limited) {
        boolean everything = fresh || question.fullState();
        long start = question.stateAfter() || timeline.isEmpty()
                ? end
                : timeline.getFirst().pos() - 1;
        Map<Event.Key, Event> state;
        if (everything) {
            state = new LinkedHashMap<>(story.state(start));
        } else if (question.stateAfter()) {
            state = new LinkedHashMap<>(changed(story, question.since(), end));
        } else {
            state = new LinkedHashMap<>(limited ? changed(story, question.since(), start) : Map.of());
        }
        if (!question.stateAfter()) {
            long after = limited || everything ? start : question.since();
            unshown(story, after, end, timeline).forEach((key, event) -> {
                if (question.filter().state().passes(event)) {
                    state.put(key, event);
                }
            });
        }
        state.values().removeIf(event -> !question.filter().state().passes(event));
        return state;
    }

    /** With {@code use_state_after} a client ignores state in the timeline, so the state must contain the user's own leave. */
    private static Map<Event.Key, Event> ownEnd(RoomStory story, RoomQuery question, long end) {
        var key = new Event.Key(Event.MEMBER, question.user());
        var own = story.state(end).get(key);
        return question.stateAfter() && own != null && question.filter().state().passes(own)
                ? Map.of(key, own)
                : Map.of();
    }

    /** State events of the range that the timeline neither shows nor replaces; without them the client's state would be wrong. */
    private static Map<Event.Key, Event> unshown(RoomStory story, long after, long end, List<Event> timeline) {
        var unshown = new LinkedHashMap<Event.Key, Event>();
        for (var event : story.events()) {
            var key = event.key();
            if (key != null && event.pos() > after && event.pos() <= end) {
                if (timeline.contains(event)) {
                    unshown.remove(key);
                } else {
                    unshown.put(key, event);
                }
            }
        }
        return unshown;
    }

    Set<String> senders() {
        var senders = new HashSet<String>();
        timeline.forEach(event -> senders.add(event.sender()));
        return senders;
    }
}
