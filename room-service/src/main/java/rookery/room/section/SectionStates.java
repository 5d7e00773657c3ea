// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.filter.EventFilter;
import rookery.room.section.RoomStates.StateChange;
import rookery.room.section.RoomStates.StatePiece;
import rookery.room.section.SectionBatch.Room;
import rookery.room.table.StateKey;
import rookery.room.table.StoredEvent;

/** Reads the state that belongs to the timelines of a batch (contract.md 10.4). */
@Component
class SectionStates {
    private final RoomStates states;

    SectionStates(RoomStates states) {
        this.states = states;
    }

    /** Reads the whole state or its changes, without the members that lazy loading adds, and not filtered yet. */
    Mono<Void> fill(SectionBatch batch) {
        return Flux.concat(
                        Mono.defer(() -> whole(batch)),
                        Mono.defer(() -> changed(batch)),
                        Mono.defer(() -> withHidden(batch)))
                .then();
    }

    /** Adds the members for lazy loading and applies the filter, after the heroes are known. */
    Mono<Void> finish(SectionBatch batch) {
        return withMembers(batch)
                .then(Mono.fromRunnable(
                        () -> batch.open().forEach(room -> room.state = filtered(batch.request, room))));
    }

    private Mono<Void> whole(SectionBatch batch) {
        var tenant = batch.request.tenant();
        var places = batch.withState()
                .filter(room -> room.scan.isWhole())
                .map(room -> room.at(room.scan.stateAt()))
                .toList();
        boolean lazy = batch.request.filter().state().lazyLoadMembers();
        return (lazy ? states.withoutMembersAt(tenant, places) : states.at(tenant, places))
                .doOnNext(events -> SectionBatch.each(batch.withState(), events, (room, state) -> room.state = state))
                .then(lazy ? changedMembers(batch) : Mono.empty());
    }

    /** A client that gets the whole state again may have members from before the gap (contract.md 10.4, lazy loading d). */
    private Mono<Void> changedMembers(SectionBatch batch) {
        var changes = batch.withState()
                .filter(room -> room.scan.isWhole() && membersAfter(batch.request, room) > 0)
                .map(room -> new StateChange(room.at(room.scan.stateAt()), membersAfter(batch.request, room)))
                .toList();
        return states.changed(batch.request.tenant(), changes)
                .doOnNext(events -> SectionBatch.each(
                        batch.withState(), events, (room, state) -> room.changedMembers = members(state)))
                .then();
    }

    private static long membersAfter(SyncRequest request, Room room) {
        return room.candidate.fresh() ? request.membersAfter(room.id()) : room.candidate.after();
    }

    private static Set<String> members(List<StoredEvent> state) {
        return state.stream()
                .filter(TimelineScan::isMember)
                .map(event -> String.valueOf(event.event().meta().stateKey()))
                .collect(Collectors.toSet());
    }

    private Mono<Void> changed(SectionBatch batch) {
        var changes = batch.withState()
                .filter(room -> !room.scan.isWhole() && (room.scan.limited() || batch.request.stateAfter()))
                .map(room -> new StateChange(room.at(room.scan.stateAt()), room.candidate.after()))
                .toList();
        return states.changed(batch.request.tenant(), changes)
                .doOnNext(events -> SectionBatch.each(batch.withState(), events, (room, state) -> room.state = state))
                .then();
    }

    /** Adds state set within the range of the timeline but not in the timeline, so that a narrow filter loses no state. */
    private Mono<Void> withHidden(SectionBatch batch) {
        if (batch.request.stateAfter()) {
            return Mono.empty(); // contained in the state at the end
        }
        var changes = batch.withState()
                .filter(room -> room.scan.hasHiddenState())
                .map(room -> new StateChange(room.at(room.candidate.upto()), toldUpTo(room)))
                .toList();
        return states.changed(batch.request.tenant(), changes)
                .doOnNext(events -> SectionBatch.each(
                        batch.withState(),
                        events,
                        (room, state) -> room.state = merged(room.state, hidden(batch.request, room, state))))
                .then();
    }

    /** The position up to which the state read so far is complete. */
    private static long toldUpTo(Room room) {
        return room.scan.isWhole() || room.scan.limited() ? room.scan.stateAt() : room.candidate.after();
    }

    /** Only events that pass the filter, so that a filtered event does not replace the value before. */
    private static List<StoredEvent> hidden(SyncRequest request, Room room, List<StoredEvent> changed) {
        var shown = room.scan.timeline().stream().map(StoredEvent::pos).collect(Collectors.toSet());
        return changed.stream()
                .filter(event ->
                        !shown.contains(event.pos()) && passes(request.filter().state(), event))
                .toList();
    }

    /** With lazy loading: adds the senders of timeline events and the heroes, whose member events the client may not have. */
    private Mono<Void> withMembers(SectionBatch batch) {
        if (!batch.request.filter().state().lazyLoadMembers()) {
            return Mono.empty();
        }
        var pieces = new ArrayList<StatePiece>();
        batch.withState()
                .forEach(room -> wantedMembers(batch.request, room)
                        .forEach(user ->
                                pieces.add(new StatePiece(room.at(room.scan.stateAt()), EventTypes.MEMBER, user))));
        return states.piecesAt(batch.request.tenant(), pieces)
                .doOnNext(events -> SectionBatch.each(
                        batch.withState(), events, (room, members) -> room.state = merged(members, room.state)))
                .then();
    }

    private static Set<String> wantedMembers(SyncRequest request, Room room) {
        var wantedMembers = new HashSet<>(room.changedMembers);
        room.scan
                .timeline()
                .forEach(
                        event -> wantedMembers.add(event.event().meta().sender().value()));
        if (request.after() != null) {
            wantedMembers.addAll(
                    members(room.scan.timeline())); // whose events of the timeline are no state for the client
        }
        if (room.summary != null) {
            wantedMembers.addAll(room.summary.heroes());
        }
        if (room.scan.isWhole()) {
            wantedMembers.add(request.user().value());
        }
        return wantedMembers;
    }

    /** The later value of each piece of state, in the order of their positions. */
    private static List<StoredEvent> merged(List<StoredEvent> state, List<StoredEvent> later) {
        var byKey = new LinkedHashMap<StateKey, StoredEvent>();
        Stream.concat(state.stream(), later.stream()).forEach(event -> byKey.put(key(event), event));
        return byKey.values().stream()
                .sorted(Comparator.comparingLong(StoredEvent::pos))
                .toList();
    }

    private static StateKey key(StoredEvent event) {
        var meta = event.event().meta();
        return new StateKey(meta.type(), String.valueOf(meta.stateKey()));
    }

    private static List<StoredEvent> filtered(SyncRequest request, Room room) {
        var filter = request.filter().state();
        if (!filter.passesRoom(room.id())) {
            return List.of();
        }
        boolean lazy = filter.lazyLoadMembers() && room.scan.isWhole();
        var wantedMembers = lazy ? wantedMembers(request, room) : Set.<String>of();
        Predicate<StoredEvent> isLoaded = event -> !lazy
                || !TimelineScan.isMember(event)
                || wantedMembers.contains(String.valueOf(event.event().meta().stateKey()));
        return room.state.stream()
                .filter(isLoaded.and(event -> passes(filter, event)))
                .toList();
    }

    private static boolean passes(EventFilter filter, StoredEvent event) {
        var meta = event.event().meta();
        return filter.passes(meta.type(), meta.sender(), meta.url());
    }
}
