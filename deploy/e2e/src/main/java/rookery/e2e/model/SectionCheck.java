// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import rookery.e2e.model.ExpectedSection.Section;
import tools.jackson.databind.JsonNode;

/**
 * Compares the sections of one room in a response with the model.
 *
 * @param expected null when the response must not contain the room
 */
record SectionCheck(
        RoomStory story, RoomQuery question, @Nullable ExpectedSection expected, Consumer<String> difference) {
    /**
     * @param rooms the room's sections in the response
     * @param prevPos the position of {@code prev_batch}; below 0 without one
     * @param met member events that the device has received before
     */
    void check(Map<Section, JsonNode> rooms, long prevPos, Set<String> met) {
        for (var section : Section.values()) {
            var actual = rooms.get(section);
            if (expected == null || section != expected.section()) {
                if (actual != null) {
                    differs("is told of under %s: %s".formatted(section.word, actual));
                }
            } else if (actual == null) {
                checkSilence(expected);
            } else if (section == Section.INVITE || section == Section.KNOCK) {
                checkPreview(actual.path(section.word + "_state").path("events"), section);
            } else {
                checkTimeline(expected, actual, prevPos);
                checkState(expected, actual, met);
                checkSummary(expected, actual.path("summary"));
            }
        }
    }

    private void checkSilence(ExpectedSection expected) {
        boolean silent = expected.section() == Section.JOIN
                && !expected.fresh()
                && !question.fullState()
                && expected.timeline().isEmpty()
                && required(expected, Set.of()).isEmpty()
                && !hasSummaryChanged(expected);
        if (!silent) {
            differs("is not told of under %s, although the model expects %s"
                    .formatted(expected.section().word, expected));
        }
    }

    private void checkPreview(JsonNode events, Section section) {
        boolean hasOwn = false;
        for (var event : events) {
            hasOwn |= event.path("type").asString("").equals(Event.MEMBER)
                    && event.path("state_key").asString("").equals(question.user())
                    && event.path("content").path("membership").asString("").equals(section.word);
        }
        if (!hasOwn) {
            differs("shows no own member event under %s: %s".formatted(section.word, events));
        }
    }

    private void checkTimeline(ExpectedSection expected, JsonNode actual, long prevPos) {
        var timeline = actual.path("timeline");
        var ids = new ArrayList<String>();
        timeline.path("events").forEach(event -> ids.add(event.path("event_id").asString("")));
        var expectedIds = expected.timeline().stream().map(Event::id).toList();
        if (!ids.equals(expectedIds)) {
            differs("timeline should be %s but is %s".formatted(expected.timeline(), described(ids)));
            return;
        }
        if (timeline.path("limited").asBoolean(false) != expected.limited()) {
            differs("limited should be %s".formatted(expected.limited()));
        }
        if (!expected.timeline().isEmpty()) {
            checkPrevious(expected, prevPos);
            checkContents(expected, timeline.path("events"));
        }
    }

    /** The position of {@code prev_batch} lies before the timeline, and no visible event lies between them. */
    private void checkPrevious(ExpectedSection expected, long prevPos) {
        long first = expected.timeline().getFirst().pos();
        boolean leavesOut = story.events().stream()
                .anyMatch(event -> event.pos() > prevPos
                        && event.pos() < first
                        && question.shows(event)
                        && story.isVisible(event, question.user(), expected.end()));
        if (prevPos >= first || prevPos < 0 || leavesOut) {
            differs("prev_batch is after %d, the timeline begins at %d".formatted(prevPos, first));
        }
    }

    private void checkContents(ExpectedSection expected, JsonNode events) {
        int index = 0;
        for (var event : events) {
            var logged = expected.timeline().get(index++);
            boolean redactedLater =
                    story.events().stream().anyMatch(other -> logged.id().equals(other.redacts()));
            if (!redactedLater && !logged.content().equals(event.path("content"))) {
                differs("%s has the content %s".formatted(logged, event.path("content")));
            }
            var membership = event.path("unsigned").path("membership").asString("");
            var expectedMembership = story.membership(question.user(), logged.pos());
            if (!membership.isEmpty()
                    && !membership.equals(expectedMembership.isEmpty() ? "leave" : expectedMembership)) {
                differs("%s says membership %s, not %s".formatted(logged, membership, expectedMembership));
            }
        }
    }

    private void checkState(ExpectedSection expected, JsonNode actual, Set<String> met) {
        var name = question.stateAfter() ? "state_after" : "state";
        if (actual.has(question.stateAfter() ? "state" : "state_after") || !actual.has(name)) {
            differs("has not just " + name);
        }
        var ids = new ArrayList<String>();
        actual.path(name)
                .path("events")
                .forEach(event -> ids.add(event.path("event_id").asString("")));
        var all = new HashSet<>(ids);
        if (all.size() != ids.size()) {
            differs("%s has an event twice: %s".formatted(name, described(ids)));
        }
        var required = required(expected, met);
        var missing = new HashMap<>(required);
        missing.values().removeIf(event -> all.contains(event.id()));
        if (!missing.isEmpty()) {
            differs("%s lacks %s; it is %s, before %s, with the timeline %s"
                    .formatted(name, missing.values(), described(ids), expected.limited(), expected.timeline()));
        }
        var allowed = new HashSet<String>();
        required(expected, Set.of()).values().forEach(event -> allowed.add(event.id()));
        if (question.filter().lazy()) {
            allowedMembers(expected).forEach(event -> allowed.add(event.id()));
        }
        all.removeAll(allowed);
        if (!all.isEmpty()) {
            differs("%s has what does not belong there: %s, with the timeline %s"
                    .formatted(name, described(List.copyOf(all)), expected.timeline()));
        }
    }

    private long place(ExpectedSection expected) {
        return question.stateAfter() || expected.timeline().isEmpty()
                ? expected.end()
                : expected.timeline().getFirst().pos() - 1;
    }

    /** The required state: with lazy loading the members of the timeline, without members that the device knows already. */
    private Map<Event.Key, Event> required(ExpectedSection expected, Set<String> met) {
        if (!question.filter().lazy() || !expected.wasThere()) {
            return expected.state();
        }
        var required = new LinkedHashMap<>(expected.state());
        boolean everything = expected.fresh() || question.fullState();
        required.values().removeIf(event -> event.isMember() && (everything || !isGapMember(expected, event)));
        var members = expected.senders();
        if (everything) {
            members.add(question.user());
            if (expected.section() == Section.JOIN) {
                members.addAll(story.heroes(question.user(), question.next()));
            }
        }
        boolean isOutsider =
                expected.section() == Section.LEAVE && expected.state().isEmpty();
        var place = story.state(place(expected));
        for (var user : isOutsider || (expected.timeline().isEmpty() && !everything) ? Set.<String>of() : members) {
            var key = new Event.Key(Event.MEMBER, user);
            var later = expected.state().get(key);
            // a state event that the timeline's filter removed replaces the state at the start of the timeline
            boolean isReplaced = later != null && later.pos() > place(expected);
            var member = everything && isReplaced ? later : place.get(key);
            if (member != null && question.filter().state().passes(member)) {
                boolean isOlder = later != null && !everything;
                if (!met.contains(member.id()) && !isOlder) {
                    required.put(key, member);
                }
            }
        }
        return required;
    }

    /** Whether the member event lies between the client's position and the position of the state. */
    private boolean isGapMember(ExpectedSection expected, Event event) {
        boolean inGap = expected.limited() || question.stateAfter();
        return inGap && event.pos() > question.since() && event.pos() <= place(expected);
    }

    private Set<Event> allowedMembers(ExpectedSection expected) {
        var allowed = new HashSet<Event>();
        var users = expected.senders();
        users.add(question.user());
        users.addAll(story.heroes(question.user(), question.next()));
        var place = story.state(place(expected));
        users.forEach(user -> {
            var member = place.get(new Event.Key(Event.MEMBER, user));
            if (member != null && question.filter().state().passes(member)) {
                allowed.add(member);
            }
        });
        expected.state().values().stream().filter(Event::isMember).forEach(event -> {
            boolean changedHere = event.pos() > question.since();
            if ((changedHere && !expected.fresh()) || event.pos() > place(expected)) {
                allowed.add(event);
            }
        });
        return allowed;
    }

    private void checkSummary(ExpectedSection expected, JsonNode summary) {
        if (expected.section() != Section.JOIN) {
            return;
        }
        int joined = story.count("join", question.next());
        int invited = story.count("invite", question.next());
        boolean hasCounts = summary.has("m.joined_member_count") && summary.has("m.invited_member_count");
        if (haveCountsChanged(expected) && !hasCounts) {
            differs("the counts changed to %d and %d, and are not told: %s".formatted(joined, invited, summary));
        }
        if (hasCounts
                && (summary.path("m.joined_member_count").asInt() != joined
                        || summary.path("m.invited_member_count").asInt() != invited)) {
            differs("%d joined, %d invited, but it says %s".formatted(joined, invited, summary));
        }
        var actual = new ArrayList<String>();
        summary.path("m.heroes").forEach(hero -> actual.add(hero.asString("")));
        var heroes = story.heroes(question.user(), question.next());
        if (summary.has("m.heroes") ? !actual.equals(heroes) : haveHeroesChanged(expected)) {
            differs("heroes should be %s (before: %s), but the summary is %s"
                    .formatted(heroes, story.heroes(question.user(), question.since()), summary));
        }
    }

    /** Whether the summary must be present, even if the filter drops all members: every room here is small. */
    private boolean hasSummaryChanged(ExpectedSection expected) {
        return haveCountsChanged(expected) || haveHeroesChanged(expected);
    }

    private boolean haveCountsChanged(ExpectedSection expected) {
        return expected.fresh()
                || question.fullState()
                || story.count("join", question.next()) != story.count("join", question.since())
                || story.count("invite", question.next()) != story.count("invite", question.since());
    }

    private boolean haveHeroesChanged(ExpectedSection expected) {
        boolean everything = expected.fresh() || question.fullState();
        var before = everything ? List.<String>of() : story.heroes(question.user(), question.since());
        var heroes = story.heroes(question.user(), question.next());
        return !heroes.isEmpty() && !heroes.equals(before);
    }

    private List<String> described(List<String> ids) {
        return ids.stream()
                .map(id -> story.events().stream()
                        .filter(event -> event.id().equals(id))
                        .findFirst()
                        .map(Event::toString)
                        .orElse(id + "?"))
                .toList();
    }

    private void differs(String description) {
        difference.accept("%s at shard %d (%d, %d]: %s"
                .formatted(story.room(), story.shard(), question.since(), question.next(), description));
    }
}
