package rookery.room.section;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.platform.log.Heads;
import rookery.platform.log.LogEntries;
import rookery.room.redaction.ErasedSenders;
import rookery.room.relation.Audience;
import rookery.room.relation.Bundles;
import rookery.room.roomlog.RoomKey;
import rookery.room.roomlog.StoredEvent;
import rookery.room.section.ReceiptRows.RoomReceipts;
import rookery.room.section.Section.Kind;
import rookery.room.section.Section.Shown;
import rookery.room.section.Section.Summary;
import rookery.room.section.SectionRows.Known;
import rookery.room.timeline.ShownEvents;
import rookery.room.timeline.StateRows;

/**
 * Builds the rooms of a sync from the tables, all of them as of one moment (CONTRACT.md 10.4). Sync nodes answer from memory
 * what they can; whatever they do not hold is asked here, so both must say the same.
 */
@Component
class SectionReader {
    private static final int STRETCH_MIN = 20;

    private final LogEntries log;
    private final SectionRows rows;
    private final StateRows states;
    private final ReceiptRows receipts;
    private final Bundles bundles;
    private final ErasedSenders erased;
    private final Snapshots snapshots;

    SectionReader(
            LogEntries log,
            SectionRows rows,
            StateRows states,
            ReceiptRows receipts,
            Bundles bundles,
            ErasedSenders erased,
            Snapshots snapshots) {
        this.log = log;
        this.rows = rows;
        this.states = states;
        this.receipts = receipts;
        this.bundles = bundles;
        this.erased = erased;
        this.snapshots = snapshots;
    }

    record Sections(long epoch, Positions upto, List<Section> rooms, List<RoomReceipts> receipts) {}

    Mono<Sections> read(SyncRequest request) {
        return log.heads().flatMap(heads -> read(request, heads)).as(snapshots::of);
    }

    private Mono<Sections> read(SyncRequest request, Heads heads) {
        var upto = request.upto() == null
                ? heads.positions()
                : Positions.of(
                        request.upto().stream().mapToLong(Long::longValue).toArray());
        return rows.memberships(request)
                .map(known -> candidates(known, request, upto))
                .flatMap(candidates -> scanned(request, candidates))
                .flatMap(scans -> answered(request, heads.epoch(), upto, scans));
    }

    private Mono<Sections> answered(SyncRequest request, long epoch, Positions upto, List<TimelineScan> scans) {
        // one after the other: they share the snapshot's connection
        return sections(request, scans)
                .zipWhen(_ -> receipts.changed(request, scans))
                .map(read -> new Sections(epoch, upto, read.getT1(), read.getT2()));
    }

    private Mono<List<Section>> sections(SyncRequest request, List<TimelineScan> scans) {
        return Flux.fromIterable(scans)
                .concatMap(scan -> section(request, scan))
                .collectList();
    }

    private static List<TimelineScan> candidates(List<Known> known, SyncRequest request, Positions upto) {
        var scans = new ArrayList<TimelineScan>();
        for (var room : known) {
            if (!request.filter().passesRoom(room.room())) {
                continue;
            }
            var candidate = Candidate.of(
                    room.room(), room.shard(), room.history(), room.forgotten(), request, upto.at(room.shard()));
            if (candidate != null) {
                scans.add(new TimelineScan(candidate, request));
            }
        }
        return scans;
    }

    /** Scans all rooms together, a statement a round, until each has its timeline. */
    private Mono<List<TimelineScan>> scanned(SyncRequest request, List<TimelineScan> scans) {
        var open = scans.stream().filter(scan -> !scan.isDone()).toList();
        if (open.isEmpty()) {
            return Mono.just(scans);
        }
        int asked = Math.max(STRETCH_MIN, request.filter().timelineLimit() + 1);
        return rows.stretches(request.tenant(), open, asked).flatMap(found -> {
            open.forEach(scan -> scan.take(found.getOrDefault(scan.room.room(), List.of()), asked));
            return scanned(request, scans);
        });
    }

    private Mono<Section> section(SyncRequest request, TimelineScan scan) {
        return switch (scan.room.kind()) {
            case INVITE, KNOCK -> preview(request, scan.room);
            case LEAVE -> withState(request, scan);
            case JOIN -> {
                boolean silent = !scan.room.fresh() && !request.fullState() && !scan.sawAnything();
                yield silent ? Mono.empty() : withState(request, scan);
            }
        };
    }

    private Mono<Section> preview(SyncRequest request, Candidate room) {
        return states.at(
                        key(request, room),
                        room.shard(),
                        room.upto(),
                        EventTypes.MEMBER,
                        request.user().value())
                .filter(event ->
                        !request.ignored().contains(event.event().meta().sender()))
                .map(event -> new Section(
                        room.room(),
                        room.shard(),
                        room.kind(),
                        List.of(),
                        false,
                        room.upto(),
                        List.of(),
                        null,
                        withOwn(event)));
    }

    /** The stripped state as it was stamped on the event, and the event itself. */
    private static String withOwn(StoredEvent event) {
        var own = event.json();
        own.retain("type", "state_key", "sender", "content");
        String others = Objects.requireNonNullElse(event.event().strippedStateJson(), "[]");
        String separator = others.equals("[]") ? "" : ",";
        return others.substring(0, others.length() - 1) + separator + own + "]";
    }

    private Mono<Section> withState(SyncRequest request, TimelineScan scan) {
        // one after the other: they share the snapshot's connection
        return summary(request, scan)
                .map(List::of)
                .defaultIfEmpty(List.of())
                .flatMap(summary -> withState(request, scan, summary));
    }

    private Mono<Section> withState(SyncRequest request, TimelineScan scan, List<Summary> summary) {
        var heroes = summary.isEmpty() ? List.<String>of() : summary.getFirst().heroes();
        return state(request, scan, heroes)
                .filter(state -> !isEmpty(request, scan, state))
                .zipWhen(_ -> told(request, scan))
                .map(parts -> section(request, scan, parts.getT1(), summary, parts.getT2()));
    }

    /** A timeline as this reader gets it, with what is bundled with its events. */
    private record Told(List<StoredEvent> timeline, Map<EventId, String> bundled) {}

    private Mono<Told> told(SyncRequest request, TimelineScan scan) {
        return erased.stripped(key(request, scan.room), scan.room.history(), scan.timeline())
                .zipWhen(timeline -> bundled(request, scan, timeline))
                .map(both -> new Told(both.getT1(), both.getT2()));
    }

    /** Only with what is not told whole: otherwise whatever relates to an event is in the same timeline, or in a later one. */
    private Mono<Map<EventId, String>> bundled(SyncRequest request, TimelineScan scan, List<StoredEvent> timeline) {
        if (!scan.limited() && !scan.room.fresh()) {
            return Mono.just(Map.of());
        }
        var audience = new Audience(
                key(request, scan.room),
                scan.room.shard(),
                request.user(),
                null,
                scan.room.history(),
                scan.room.upto(),
                false,
                request.ignored().stream().map(UserId::value).collect(Collectors.toSet()));
        return bundles.of(audience, timeline);
    }

    private static boolean isEmpty(SyncRequest request, TimelineScan scan, List<StoredEvent> state) {
        return scan.room.kind() == Kind.JOIN
                && !scan.room.fresh()
                && !request.fullState()
                && scan.timeline().isEmpty()
                && state.isEmpty()
                && !scan.limited();
    }

    private static Section section(
            SyncRequest request, TimelineScan scan, List<StoredEvent> state, List<Summary> summary, Told told) {
        var room = scan.room;
        return new Section(
                room.room(),
                room.shard(),
                room.kind(),
                told.timeline.stream()
                        .map(event -> shown(
                                event,
                                request.user(),
                                room,
                                told.bundled.get(event.event().meta().eventId())))
                        .toList(),
                scan.limited(),
                scan.prevPos(),
                state.stream()
                        .map(event -> shown(event, request.user(), room, null))
                        .toList(),
                summary.isEmpty() ? null : summary.getFirst(),
                null);
    }

    private static Shown shown(StoredEvent event, UserId user, Candidate room, @Nullable String relations) {
        return new Shown(
                event.pos(),
                event.body(),
                room.history().at(event.pos()),
                ShownEvents.sawPrevious(event, user, room.history()),
                relations);
    }

    /** The state at the start of the timeline, or at its end, filtered; members lazily if that was asked for. */
    private Mono<List<StoredEvent>> state(SyncRequest request, TimelineScan scan, List<String> heroes) {
        var room = scan.room;
        if (room.kind() == Kind.LEAVE && !room.wasThere()) {
            return Mono.just(List.of());
        }
        boolean whole = room.fresh() || request.fullState();
        long start = request.stateAfter() ? room.upto() : scan.timeline().isEmpty() ? room.upto() : scan.prevPos();
        var atStart = whole
                ? states.at(key(request, room), room.shard(), start).collectList()
                : scan.limited() || request.stateAfter()
                        ? rows.changedState(request.tenant(), room, room.after(), start)
                        : Mono.just(List.<StoredEvent>of());
        return atStart.flatMap(state -> withUnshown(request, scan, start, state))
                .flatMap(state -> withSenders(request, scan, start, state))
                .map(state -> filtered(request, scan, heroes, state));
    }

    /** State events of the range that the timeline does not show: neither a narrow filter nor an absence loses state. */
    private Mono<List<StoredEvent>> withUnshown(
            SyncRequest request, TimelineScan scan, long start, List<StoredEvent> state) {
        if (!scan.hidesState() || request.stateAfter()) {
            return Mono.just(state);
        }
        // up to the start of the timeline, what was read as state says it already
        boolean isRead = scan.room.fresh() || request.fullState() || scan.limited();
        long from = isRead ? start : scan.room.after();
        var shown = scan.timeline().stream().map(StoredEvent::pos).collect(Collectors.toSet());
        return rows.changedState(request.tenant(), scan.room, from, scan.room.upto())
                .map(changed -> merged(
                        state,
                        changed.stream()
                                .filter(event -> !shown.contains(event.pos()) && scan.passesStateFilter(event))
                                .toList()));
    }

    /** With lazy loading: the members who speak here, whom the client may not have met. */
    private Mono<List<StoredEvent>> withSenders(
            SyncRequest request, TimelineScan scan, long start, List<StoredEvent> state) {
        boolean whole = scan.room.fresh() || request.fullState();
        if (!request.filter().state().lazyLoadMembers()
                || whole
                || scan.timeline().isEmpty()) {
            return Mono.just(state);
        }
        return states.membersAt(
                        key(request, scan.room),
                        scan.room.shard(),
                        start,
                        senders(scan).toArray(String[]::new))
                .collectList()
                .map(members -> merged(state, members));
    }

    private static List<StoredEvent> merged(List<StoredEvent> state, List<StoredEvent> more) {
        Map<String, StoredEvent> byKey = new LinkedHashMap<>();
        for (var events : List.of(state, more)) {
            for (var event : events) {
                byKey.put(
                        event.event().meta().type() + "\0"
                                + event.event().meta().stateKey(),
                        event);
            }
        }
        return List.copyOf(byKey.values());
    }

    private static Set<String> senders(TimelineScan scan) {
        var senders = new HashSet<String>();
        scan.timeline()
                .forEach(event -> senders.add(event.event().meta().sender().value()));
        return senders;
    }

    private static List<StoredEvent> filtered(
            SyncRequest request, TimelineScan scan, List<String> heroes, List<StoredEvent> state) {
        boolean lazy = request.filter().state().lazyLoadMembers() && (scan.room.fresh() || request.fullState());
        var wanted = senders(scan);
        wanted.add(request.user().value());
        wanted.addAll(heroes);
        return state.stream()
                .filter(scan::passesStateFilter)
                .filter(event -> !lazy
                        || !TimelineScan.isMember(event)
                        || wanted.contains(event.event().meta().stateKey()))
                .toList();
    }

    /** Empty unless the client must be told. */
    private Mono<Summary> summary(SyncRequest request, TimelineScan scan) {
        var room = scan.room;
        if (room.kind() != Kind.JOIN) {
            return Mono.empty();
        }
        return room.fresh() || request.fullState()
                ? summary(request, room)
                : rows.hasSummaryChanged(request.tenant(), room)
                        .filter(Boolean::booleanValue)
                        .flatMap(_ -> summary(request, room));
    }

    private Mono<Summary> summary(SyncRequest request, Candidate room) {
        return newest(request, room)
                .flatMap(event -> heroes(request, room)
                        .map(heroes -> new Summary(
                                event.event().meta().joined(),
                                event.event().meta().invited(),
                                heroes)));
    }

    private Mono<StoredEvent> newest(SyncRequest request, Candidate room) {
        var whole = new TimelineScan(
                new Candidate(room.room(), room.shard(), room.kind(), 0, room.upto(), room.history(), true), request);
        return rows.stretches(request.tenant(), List.of(whole), 1)
                .mapNotNull(found -> found.get(room.room()))
                .map(List::getFirst);
    }

    /** Only a room without name and alias is named by its members. */
    private Mono<List<String>> heroes(SyncRequest request, Candidate room) {
        var naming = List.of(EventTypes.NAME, EventTypes.CANONICAL_ALIAS);
        return states.ofTypesAt(key(request, room), room.shard(), room.upto(), naming)
                .filter(event -> isNaming(event))
                .collectList() // to its end: a query that is cancelled can spoil its connection
                .flatMap(named -> !named.isEmpty() ? Mono.just(List.<String>of()) : heroesOf(request, room));
    }

    private static boolean isNaming(StoredEvent event) {
        var content = event.content();
        return !content.path("name").asString("").isEmpty()
                || !content.path("alias").asString("").isEmpty();
    }

    private Mono<List<String>> heroesOf(SyncRequest request, Candidate room) {
        return rows.heroes(request.tenant(), room, request.user(), List.of("join", "invite"))
                .flatMap(heroes -> heroes.isEmpty()
                        ? rows.heroes(request.tenant(), room, request.user(), List.of("leave", "ban"))
                        : Mono.just(heroes));
    }

    private static RoomKey key(SyncRequest request, Candidate room) {
        return new RoomKey(request.tenant(), room.room());
    }
}
