// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The complete history of a room, with all derived facts: memberships, state and visibility (contract.md 9.8). Shares no code
 * with the product and scans the list for every question.
 */
record RoomStory(String room, int shard, List<Event> events) {
    private static final int HEROES = 5;

    RoomStory {
        events = List.copyOf(events);
    }

    /** The membership at a position; empty without a member event. */
    String membership(String user, long at) {
        var membership = "";
        for (var event : events) {
            if (event.pos() > at) {
                break;
            }
            if (event.isMemberOf(user)) {
                membership = event.membership();
            }
        }
        return membership;
    }

    /** The user's member events in {@code (after, upto]}. */
    List<Event> ownEvents(String user, long after, long upto) {
        return events.stream()
                .filter(event -> event.pos() > after && event.pos() <= upto && event.isMemberOf(user))
                .toList();
    }

    /** The position at which the user's current membership began; -1 when the user is not joined. */
    long joinedFrom(String user, long at) {
        long from = -1;
        for (var event : ownEvents(user, 0, at)) {
            if (!event.membership().equals("join")) {
                from = -1;
            } else if (from < 0) {
                from = event.pos();
            }
        }
        return from;
    }

    boolean joinedIn(String user, long after, long upto) {
        return ownEvents(user, after, upto).stream()
                .anyMatch(event -> event.membership().equals("join"));
    }

    Map<Event.Key, Event> state(long at) {
        var state = new LinkedHashMap<Event.Key, Event>();
        for (var event : events) {
            if (event.pos() > at) {
                break;
            }
            var key = event.key();
            if (key != null) {
                state.put(key, event);
            }
        }
        return state;
    }

    @Nullable
    Event value(Event.Key key, long at) {
        return state(at).get(key);
    }

    private String visibility(long at) {
        var event = value(new Event.Key("m.room.history_visibility", ""), at);
        var visibility = event == null
                ? "shared"
                : event.content().path("history_visibility").asString("shared");
        return switch (visibility) {
            case "world_readable", "invited", "joined" -> visibility;
            default -> "shared";
        };
    }

    /** Whether the user may see the event, given the history up to a position. */
    boolean isVisible(Event event, String user, long asOf) {
        long at = event.pos();
        var before = membership(user, at - 1);
        var after = membership(user, at);
        boolean joinsLater = joinedIn(user, at, asOf);
        return isVisible(visibility(at), after, joinsLater)
                || (event.type().equals("m.room.history_visibility")
                        && isVisible(visibility(at - 1), after, joinsLater))
                || (event.isMemberOf(user) && isVisible(visibility(at), before, joinsLater));
    }

    private static boolean isVisible(String visibility, String membership, boolean joinsLater) {
        return membership.equals("join")
                || visibility.equals("world_readable")
                || (visibility.equals("shared") && joinsLater)
                || (visibility.equals("invited") && membership.equals("invite") && joinsLater);
    }

    int count(String membership, long at) {
        return (int) state(at).values().stream()
                .filter(event -> event.isMember() && event.membership().equals(membership))
                .count();
    }

    /** The heroes of a room without name and alias; empty for other rooms. */
    List<String> heroes(String user, long at) {
        if (isNamed("m.room.name", "name", at) || isNamed("m.room.canonical_alias", "alias", at)) {
            return List.of();
        }
        var present = heroes(user, at, List.of("join", "invite"));
        return present.isEmpty() ? heroes(user, at, List.of("leave", "ban")) : present;
    }

    private boolean isNamed(String type, String field, long at) {
        var event = value(new Event.Key(type, ""), at);
        return event != null && !event.content().path(field).asString("").isEmpty();
    }

    private List<String> heroes(String user, long at, List<String> memberships) {
        var members = new ArrayList<Event>();
        for (var event : state(at).values()) {
            if (event.isMember() && !event.isMemberOf(user) && memberships.contains(event.membership())) {
                members.add(event);
            }
        }
        return members.stream()
                .sorted(Comparator.comparingLong(this::came))
                .limit(HEROES)
                .map(event -> String.valueOf(event.stateKey()))
                .toList();
    }

    /**
     * The position at which the event's membership began: a new display name does not change the order of members
     * (contract.md 10.3).
     */
    private long came(Event member) {
        long came = member.pos();
        for (var event : events.reversed()) {
            if (event.pos() < member.pos() && Objects.equals(event.key(), member.key())) {
                if (!event.membership().equals(member.membership())) {
                    break;
                }
                came = event.pos();
            }
        }
        return came;
    }
}
