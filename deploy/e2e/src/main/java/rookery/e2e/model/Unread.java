// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import rookery.e2e.model.Action.Kind;

/**
 * Recounts the unread events of a user in a room (contract.md 11.4), for users with default push rules in conversations without
 * mentions, so that exactly the messages of other users count.
 *
 * <p>During a conversation the order of concurrent actions is unknown, so the count is a range. After the end the range is a
 * single number.
 */
final class Unread {
    /** The main timeline. */
    static final String MAIN = "main";

    private static final String EVERYWHERE = "";
    private static final String MESSAGE = "m.room.message";

    private final RoomStory story;
    private final String user;
    private final List<UnreadMessage> messages = new ArrayList<>();
    private final List<ReadMarker> receipts = new ArrayList<>();
    private final List<Action> ignores;
    /** The earliest possible time of acceptance of each event. */
    private final List<Long> earliest = new ArrayList<>();

    /** A message of another user, with the earliest possible time of its redaction. */
    private record UnreadMessage(
            Event event,
            String thread,
            long startNanos,
            @Nullable Event redaction,
            long redactedNanos) {}

    /** A receipt or an own event, up to which a thread is read. */
    private record ReadMarker(String thread, long pos, long startNanos, long endNanos) {}

    /** The smallest and the largest possible count. */
    record Range(int least, int most) {
        static final Range NONE = new Range(0, 0);

        Range plus(Range other) {
            return new Range(least + other.least, most + other.most);
        }

        boolean has(int count) {
            return count >= least && count <= most;
        }
    }

    /**
     * The response whose counts are checked.
     *
     * @param next the position of the response; its counts may be newer
     * @param atOnce whether the response must include everything accepted before the request
     * @param settledNanos ignore lists replaced after this time may still be in force
     */
    record Moment(long next, boolean atOnce, long startNanos, long endNanos, long settledNanos) {
        /** The end of the conversation. */
        static Moment end(long next) {
            long now = System.nanoTime();
            return new Moment(next, true, now, now, now);
        }
    }

    Unread(Evidence evidence, RoomStory story, String user) {
        this.story = story;
        this.user = user;
        var acts = evidence.history().acts();
        this.ignores = acts.stream()
                .filter(act -> act.kind() == Kind.IGNORE && act.person().id().equals(user))
                .toList();
        var byEvent = byEvent(acts);
        var redactions = new HashMap<String, Event>();
        var starts = new HashMap<String, Long>();
        long start = Long.MIN_VALUE;
        for (var event : story.events()) {
            var act = byEvent.get(event.id());
            start = act == null || act.startNanos() == 0 ? start : Math.max(start, act.startNanos());
            earliest.add(start); // later events of the log were accepted later
            starts.put(event.id(), start);
            if (event.redacts() != null) {
                redactions.putIfAbsent(event.redacts(), event);
            }
        }
        for (var event : story.events()) {
            long began = starts.getOrDefault(event.id(), Long.MIN_VALUE);
            var thread = thread(event, byEvent.get(event.id()));
            if (event.sender().equals(user)) {
                receipts.add(new ReadMarker(thread, event.pos(), began, Long.MAX_VALUE));
            } else if (event.type().equals(MESSAGE) && event.stateKey() == null) {
                var redaction = redactions.get(event.id());
                long redacted =
                        redaction == null ? Long.MAX_VALUE : starts.getOrDefault(redaction.id(), Long.MIN_VALUE);
                messages.add(new UnreadMessage(event, thread, began, redaction, redacted));
            }
        }
        acts.forEach(act -> noteReceipt(evidence, act));
    }

    /**
     * The actions that made events. State is left out, because setting state to its current value returns the event id of the
     * earlier event.
     */
    private static Map<String, Action> byEvent(List<Action> acts) {
        var byEvent = new HashMap<String, Action>();
        for (var act : acts) {
            if (act.eventId() != null && (act.kind() == Kind.MESSAGE || act.kind() == Kind.REDACTION)) {
                byEvent.put(act.eventId(), act);
            }
        }
        return byEvent;
    }

    private void noteReceipt(Evidence evidence, Action act) {
        var pos = evidence.place(act.eventId());
        if (act.kind() == Kind.RECEIPT
                && pos != null
                && act.person().id().equals(user)
                && act.room().equals(story.room())
                && act.subject().startsWith("m.read")) {
            int space = act.subject().indexOf(' ');
            var thread = space < 0 ? EVERYWHERE : act.subject().substring(space + 1);
            receipts.add(new ReadMarker(thread, pos, act.startNanos(), act.endNanos()));
        }
    }

    /** The thread of an event; for a redacted event from the sender's action. */
    private static String thread(Event event, @Nullable Action act) {
        if (act != null && act.kind() == Kind.MESSAGE) {
            return act.subject().isEmpty() ? MAIN : act.subject();
        }
        var relation = event.content().path("m.relates_to");
        return relation.path("rel_type").asString("").equals("m.thread")
                ? relation.path("event_id").asString("")
                : MAIN;
    }

    /** The counts by thread; null when the user may have left the room before the response was made. */
    @Nullable
    Map<String, Range> counts(Moment moment) {
        long joined = story.joinedFrom(user, moment.next);
        if (joined < 0 || mayHaveLeft(moment)) {
            return null;
        }
        var surelyRead = read(read -> isSurelyRead(read, moment));
        var maybeRead = read(read -> read.startNanos <= moment.endNanos);
        var surelyIgnored = ignored(moment, true);
        var maybeIgnored = ignored(moment, false);
        var counts = new HashMap<String, Range>();
        for (var each : messages) {
            var sender = each.event.sender();
            boolean may = each.event.pos() > joined
                    && each.startNanos <= moment.endNanos
                    && !isRead(each, surelyRead)
                    && !(each.redaction != null && each.redaction.pos() <= moment.next)
                    && !surelyIgnored.contains(sender);
            boolean must = may
                    && each.event.pos() <= moment.next
                    && !isRead(each, maybeRead)
                    && each.redactedNanos > moment.endNanos
                    && !maybeIgnored.contains(sender);
            if (may) {
                counts.merge(each.thread, new Range(must ? 1 : 0, 1), Range::plus);
            }
        }
        return counts;
    }

    /** A description of the input, for reports. */
    String described(long next) {
        var others = messages.stream()
                .filter(each -> each.event.pos() > story.joinedFrom(user, next))
                .map(each -> "%d in %s by %s%s"
                        .formatted(
                                each.event.pos(),
                                each.thread,
                                each.event.sender(),
                                each.redaction == null ? "" : ", redacted at " + each.redaction.pos()))
                .toList();
        return "joined at %d, others said %s, read up to %s, ignored in turn %s"
                .formatted(
                        story.joinedFrom(user, next),
                        others,
                        read(_ -> true),
                        ignores.stream().map(Action::value).toList());
    }

    private boolean mayHaveLeft(Moment moment) {
        for (int i = 0; i < story.events().size(); i++) {
            var event = story.events().get(i);
            if (event.pos() > moment.next
                    && event.isMemberOf(user)
                    && !event.membership().equals("join")
                    && earliest.get(i) <= moment.endNanos) {
                return true;
            }
        }
        return false;
    }

    /** Whether the response must take the marker into account: an own event from its position on. */
    private static boolean isSurelyRead(ReadMarker read, Moment moment) {
        return read.endNanos == Long.MAX_VALUE
                ? read.pos <= moment.next
                : moment.atOnce && read.endNanos < moment.startNanos;
    }

    private Map<String, Long> read(Predicate<ReadMarker> which) {
        var read = new HashMap<String, Long>();
        receipts.stream().filter(which).forEach(each -> read.merge(each.thread, each.pos, Math::max));
        return read;
    }

    private static boolean isRead(UnreadMessage messages, Map<String, Long> read) {
        return messages.event.pos()
                <= Math.max(read.getOrDefault(EVERYWHERE, 0L), read.getOrDefault(messages.thread, 0L));
    }

    /** The users on all ignore lists, or on any of them, that may have been in force for the response. */
    private Set<String> ignored(Moment moment, boolean surely) {
        Set<String> ignored = null;
        for (int i = -1; i < ignores.size(); i++) {
            boolean hasBegun = i < 0 || ignores.get(i).startNanos() <= moment.endNanos;
            boolean hasEnded = i + 1 < ignores.size()
                    && ignores.get(i + 1).endNanos() < Math.min(moment.settledNanos, moment.startNanos);
            if (hasBegun && !hasEnded) {
                var list = i < 0 || ignores.get(i).value().isEmpty()
                        ? Set.<String>of()
                        : Set.of(ignores.get(i).value());
                if (ignored == null) {
                    ignored = new HashSet<>(list);
                } else if (surely) {
                    ignored.retainAll(list);
                } else {
                    ignored.addAll(list);
                }
            }
        }
        return ignored == null ? Set.of() : ignored;
    }
}
