// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import rookery.e2e.model.Action.Kind;
import rookery.e2e.model.ExpectedSection.Section;
import tools.jackson.databind.JsonNode;

/**
 * Replays the chain of syncs of one device: its timelines with their gaps must be the room's log (promise 1), and the final state
 * must be the state of an initial sync (promise 2).
 */
final class ChainCheck {
    private static final String JOIN = Section.JOIN.word;
    private static final int LATELY = 4;

    private final Evidence evidence;
    private final List<Exchange> chain;
    private final Consumer<String> difference;
    private final ClientView view = new ClientView();
    private final Demands demands;
    private final Map<String, Long> lastPositions = new HashMap<>();
    /** The timelines of each room, for the report. */
    private final Map<String, List<String>> trails = new HashMap<>();

    private final Map<String, GapPages> pages = new HashMap<>();

    /**
     * Creates the check of one client.
     *
     * @param chain the syncs in their order
     */
    ChainCheck(Evidence evidence, List<Exchange> chain, Demands demands, Consumer<String> difference) {
        this.evidence = evidence;
        this.chain = List.copyOf(chain);
        this.demands = demands;
        this.difference = difference;
        evidence.history().pages().forEach(page -> pages.put(page.chain() + page.from(), page));
    }

    ClientView follow() {
        for (var exchange : chain) {
            var fresh = fresh(exchange);
            view.apply(exchange, fresh);
            if (exchange.request().filter().isWide()) {
                checkTimelines(exchange, fresh);
                checkState(exchange);
            }
        }
        return view;
    }

    private Set<String> fresh(Exchange exchange) {
        var fresh = new HashSet<String>();
        for (var story : evidence.stories().values()) {
            var telling = ExpectedSection.of(story, evidence.question(exchange, story));
            if (telling != null && telling.fresh()) {
                fresh.add(story.room());
            }
        }
        return fresh;
    }

    private void checkTimelines(Exchange exchange, Set<String> fresh) {
        for (var section : List.of(Section.JOIN.word, Section.LEAVE.word)) {
            for (var room : exchange.rooms(section).properties()) {
                var story = evidence.stories().get(room.getKey());
                if (story != null) {
                    checkTimeline(exchange, story, room.getValue().path("timeline"), fresh.contains(room.getKey()));
                }
            }
        }
    }

    /** The earlier timelines, the gap and the new timeline must form the log without holes, duplicates or changes of order. */
    private void checkTimeline(Exchange exchange, RoomStory story, JsonNode timeline, boolean fresh) {
        var question = evidence.question(exchange, story);
        var events = new ArrayList<JsonNode>();
        trail(story.room())
                .add("(%d, %d]%s: %s".formatted(question.since(), question.next(), fresh ? " fresh" : "", timeline));
        if (timeline.path("limited").asBoolean(false)) {
            var page = pages.get(exchange.chain() + timeline.path("prev_batch").asString(""));
            if (page == null) {
                return; // the failure is reported elsewhere
            }
            checkPage(page, story, question);
            events.addAll(page.events());
        }
        timeline.path("events").forEach(events::add);
        // no completeness for the time in which the user was no member
        boolean wasThere = story.membership(question.user(), question.since()).equals(JOIN);
        long last = fresh || !wasThere ? -1 : lastPositions.getOrDefault(story.room(), -1L);
        for (var event : events) {
            var pos = evidence.place(event.path("event_id").asString(""));
            if (pos == null) {
                differs(exchange, "%s is told of and not in the log".formatted(event));
                return;
            }
            if (pos <= last) {
                differs(exchange, "%s is doubled or out of order, after %d".formatted(event, last));
                return;
            }
            checkNothingBetween(exchange, story, question, last, pos);
            last = pos;
        }
        lastPositions.put(story.room(), last);
    }

    private void checkNothingBetween(Exchange exchange, RoomStory story, RoomQuery question, long after, long before) {
        for (var event : story.events()) {
            if (after >= 0
                    && event.pos() > after
                    && event.pos() < before
                    && question.shows(event)
                    && !hasIgnored(exchange.person(), event.sender())
                    && story.isVisible(event, question.user(), question.next())) {
                differs(
                        exchange,
                        "%s was never told of, between %d and %d, in (%d, %d]; was %s; told before: %s"
                                .formatted(
                                        event,
                                        after,
                                        before,
                                        question.since(),
                                        question.next(),
                                        story.ownEvents(question.user(), 0, question.next()),
                                        lately(trail(story.room()))));
            }
        }
    }

    private List<String> trail(String room) {
        return trails.computeIfAbsent(room, _ -> new ArrayList<>());
    }

    private static List<String> lately(List<String> trail) {
        return trail.subList(Math.max(0, trail.size() - LATELY), trail.size());
    }

    private boolean hasIgnored(Person person, String user) {
        return evidence.history().acts().stream()
                .anyMatch(act -> act.kind() == Kind.IGNORE
                        && !person.id().equals(user)
                        && act.person().user().equals(person.user())
                        && act.value().equals(user));
    }

    /** Paging back between the two tokens must return the events of the gap and no others (G1). */
    private void checkPage(GapPages page, RoomStory story, RoomQuery question) {
        long from = evidence.page(page.person(), page.from(), story.shard());
        long to = question.initial() ? 0 : question.since();
        var ids = new LinkedHashSet<String>();
        page.events().forEach(event -> ids.add(event.path("event_id").asString("")));
        if (ids.size() != page.events().size()) {
            difference.accept("%s paged back in %s and saw an event twice: %s"
                    .formatted(page.person(), page.room(), page.events()));
        }
        for (var event : story.events()) {
            boolean inGap = event.pos() > to && event.pos() <= from;
            boolean ignored = event.stateKey() == null && hasIgnored(page.person(), event.sender());
            boolean must = inGap && !ignored && story.isVisible(event, question.user(), question.next());
            boolean may = inGap && story.isVisible(event, question.user(), Long.MAX_VALUE);
            boolean has = ids.remove(event.id());
            if ((must && !has) || (has && !may)) {
                difference.accept("%s paged back in %s from %d to %d: %s is %s"
                        .formatted(page.person(), page.room(), from, to, event, has ? "shown" : "missing"));
            }
        }
        ids.forEach(
                id -> difference.accept("%s paged back in %s and saw %s".formatted(page.person(), page.room(), id)));
    }

    /**
     * The client's state must be the state of the room; with lazy loading, members without events in the timeline may be missing.
     */
    private void checkState(Exchange exchange) {
        for (var room : exchange.rooms(JOIN).properties()) {
            var story = evidence.stories().get(room.getKey());
            if (story != null) {
                checkState(exchange, story, view.room(room.getKey()));
            }
        }
    }

    private void checkState(Exchange exchange, RoomStory story, ClientView.Room room) {
        var question = evidence.question(exchange, story);
        boolean lazy = exchange.request().filter().lazy();
        story.state(question.next()).forEach((key, event) -> {
            var eventId = room.state.get(key);
            boolean mayLack = lazy && event.isMember() && eventId == null;
            if (!mayLack && !event.id().equals(eventId)) {
                differs(
                        exchange,
                        "in %s it is now %s, but the client has %s from %d, in (%d, %d]"
                                .formatted(
                                        story.room(),
                                        event,
                                        eventId,
                                        evidence.place(eventId),
                                        question.since(),
                                        question.next()));
            }
        });
    }

    /** @param initial a final initial sync */
    void checkEnd(Exchange initial) {
        var fresh = new ClientView();
        fresh.apply(initial, Set.of());
        var types = new HashSet<>(view.data().keySet());
        types.addAll(fresh.data().keySet());
        for (var type : types) {
            if (!Objects.equals(view.data().get(type), fresh.data().get(type))) {
                differs(
                        initial,
                        "account data %s is %s, the chain has %s"
                                .formatted(
                                        type,
                                        fresh.data().get(type),
                                        view.data().get(type)));
            }
        }
        var person = initial.person();
        for (var story : evidence.stories().values()) {
            var membership = story.membership(
                    person.id(), evidence.question(initial, story).next());
            var had = view.rooms().containsKey(story.room()) ? view.room(story.room()).section : "";
            boolean isIn = membership.equals("join");
            boolean isTold = !initial.request().filter().notRooms().contains(story.room());
            if (isTold && isIn != had.equals(JOIN)) {
                differs(initial, "%s is %s, the chain has it under %s".formatted(story.room(), membership, had));
            } else if (isTold && isIn && initial.request().filter().isWide()) {
                compare(initial, story, fresh.room(story.room()), view.room(story.room()));
            }
        }
        checkKept(initial, fresh);
    }

    private void compare(Exchange initial, RoomStory story, ClientView.Room fresh, ClientView.Room chained) {
        var room = story.room();
        if (!fresh.data.equals(chained.data)) {
            differs(initial, "data of %s is %s, the chain has %s".formatted(room, fresh.data, chained.data));
        }
        if (fresh.joined != chained.joined || fresh.invited != chained.invited) {
            differs(
                    initial,
                    "%s has %d joined and %d invited, the chain has %d and %d"
                            .formatted(room, fresh.joined, fresh.invited, chained.joined, chained.invited));
        }
        if (!fresh.heroes.isEmpty() && !fresh.heroes.equals(chained.heroes)) {
            differs(initial, "heroes of %s are %s, the chain has %s".formatted(room, fresh.heroes, chained.heroes));
        }
        if (demands.counts()) {
            checkCounts(initial, story, "fresh", fresh);
            checkCounts(initial, story, "the chain", chained);
        }
        // killed processes forget typing users
        if (demands.punctual() && (!chained.typing.isEmpty() || !fresh.typing.isEmpty())) {
            differs(initial, "nobody types in %s, but %s and %s".formatted(room, fresh.typing, chained.typing));
        }
        chained.receipts.forEach((key, event) -> {
            var user = key.substring(0, key.indexOf(' '));
            boolean isMember = story.membership(user, Long.MAX_VALUE).equals("join");
            if (isMember && !event.equals(fresh.receipts.get(key))) {
                differs(
                        initial,
                        "receipt %s of %s is at %s, the chain has it at %s"
                                .formatted(key, room, fresh.receipts.get(key), event));
            }
        });
        checkStateOf(initial, story, fresh, chained);
    }

    private void checkCounts(Exchange initial, RoomStory story, String where, ClientView.Room room) {
        var recount = new Unread(evidence, story, initial.person().id());
        var expected = recount.counts(Unread.Moment.end(Long.MAX_VALUE));
        var wrong = expected == null || room.latest == null
                ? null
                : UnreadCheck.wrong(
                        expected, room.latest, initial.request().filter().byThread());
        if (wrong != null) {
            differs(
                    initial,
                    "counts of %s in the end, %s: %s; %s"
                            .formatted(story.room(), where, wrong, recount.described(Long.MAX_VALUE)));
        }
    }

    private void checkStateOf(Exchange initial, RoomStory story, ClientView.Room fresh, ClientView.Room chained) {
        fresh.state.forEach((key, event) -> {
            var eventId = chained.state.get(key);
            boolean mayLack = initial.request().filter().lazy() && key.type().equals(Event.MEMBER) && eventId == null;
            if (!mayLack && !event.equals(eventId)) {
                differs(initial, "state %s of %s is %s, the chain has %s".formatted(key, story.room(), event, eventId));
            }
        });
        story.state(evidence.question(initial, story).next()).forEach((key, event) -> {
            boolean mayLack = initial.request().filter().lazy() && isUnmet(key, fresh);
            if (!mayLack && !event.id().equals(fresh.state.get(key))) {
                differs(
                        initial,
                        "state %s of %s is %s, told was %s".formatted(key, story.room(), event, fresh.state.get(key)));
            }
        });
    }

    private static boolean isUnmet(Event.Key key, ClientView.Room room) {
        return key.type().equals(Event.MEMBER) && !room.state.containsKey(key);
    }

    /** The user's last account data must be in the response. */
    private void checkKept(Exchange initial, ClientView fresh) {
        var lastActions = new HashMap<String, Action>();
        for (var act : evidence.history().acts()) {
            if (act.kind() == Kind.ACCOUNT_DATA
                    && act.room().isEmpty()
                    && act.person().user().equals(initial.person().user())) {
                lastActions.put(act.subject(), act);
            }
        }
        lastActions.forEach((type, act) -> {
            var content = fresh.data().get(type);
            if (content == null || !content.path("word").asString("").equals(act.value())) {
                differs(initial, "%s was kept, told is %s".formatted(act, content));
            }
        });
    }

    private void differs(Exchange exchange, String description) {
        difference.accept("%s: %s".formatted(exchange, description));
    }
}
