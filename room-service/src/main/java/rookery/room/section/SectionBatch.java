// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.room.section.RoomStates.RoomPosition;
import rookery.room.section.Section.ShownEvent;
import rookery.room.section.Section.Summary;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.ShownEvents;

/** A batch of rooms, read with one statement for all of them; filled step by step. */
final class SectionBatch {
    final SyncRequest request;
    final List<Room> rooms;
    /** Rooms left to the next batch, because the batch has reached its bytes. */
    final List<CandidateRoom> rest = new ArrayList<>();

    Map<EventId, String> bundled = Map.of();

    SectionBatch(SyncRequest request, List<CandidateRoom> candidates) {
        this.request = request;
        this.rooms = new ArrayList<>();
        candidates.forEach(candidate -> rooms.add(new Room(request, candidate)));
    }

    static final class Room {
        final CandidateRoom candidate;
        final TimelineScan scan;
        /** State before the timeline or at its end, not filtered yet. */
        List<StoredEvent> state = List.of();
        /** Members whose state changed in the gap before the timeline and whom lazy loading would leave out. */
        Set<String> changedMembers = Set.of();

        List<StoredEvent> timeline = List.of();

        @Nullable
        StoredEvent own;

        @Nullable
        Summary summary;

        boolean summaryChanged;

        Room(SyncRequest request, CandidateRoom candidate) {
            this.candidate = candidate;
            this.scan = new TimelineScan(candidate, request);
        }

        RoomId id() {
            return candidate.room();
        }

        RoomPosition at(long pos) {
            return new RoomPosition(candidate.room(), candidate.shard(), pos);
        }

        TenantRoom key(SyncRequest request) {
            return new TenantRoom(request.tenant(), candidate.room());
        }

        /** Whether the room was purged after the memberships were read. */
        boolean isGone() {
            return candidate.kind() == Section.Kind.JOIN && candidate.fresh() && scan.newest() == null;
        }
    }

    /**
     * Moves the first room whose events do not fit, and all rooms behind it, to {@link #rest}; the first room of all
     * stays. Rooms come in the order of their sections, and a response does not go back.
     */
    void leaveOutBeyond(long bytesMax) {
        long bytes = 0;
        for (int i = 0; i < rooms.size(); i++) {
            bytes += rooms.get(i).scan.bytes();
            if (i > 0 && bytes > bytesMax) {
                var left = rooms.subList(i, rooms.size());
                rest.addAll(0, left.stream().map(room -> room.candidate).toList());
                left.clear();
                return;
            }
        }
    }

    Stream<Room> open() {
        return rooms.stream().filter(room -> !room.candidate.kind().isPreview() && !room.scan.isSilent());
    }

    /** The open rooms with state in the response: a declined invitation has only its leave event. */
    Stream<Room> withState() {
        return open().filter(room -> room.candidate.kind() != Section.Kind.LEAVE || room.candidate.wasThere());
    }

    /** Rooms that the user left without a join in the range: only the user's leave event is in the response. */
    Stream<Room> neverJoined() {
        return open().filter(room -> room.candidate.kind() == Section.Kind.LEAVE && !room.candidate.wasThere());
    }

    static void each(
            Stream<Room> rooms, Map<RoomId, List<StoredEvent>> byRoom, BiConsumer<Room, List<StoredEvent>> taker) {
        rooms.forEach(room -> {
            var events = byRoom.get(room.id());
            if (events != null) {
                taker.accept(room, events);
            }
        });
    }

    List<Section> sections(Map<RoomId, List<Receipt>> receipts) {
        var sections = new ArrayList<Section>();
        for (var room : rooms) {
            var read = receipts.get(room.id());
            var section = switch (room.candidate.kind()) {
                case INVITE, KNOCK -> preview(room);
                case LEAVE -> section(room, null);
                case JOIN -> room.isGone() || (isEmpty(room) && read == null) ? null : section(room, read);
            };
            if (section != null) {
                sections.add(section);
            }
        }
        return sections;
    }

    private boolean isEmpty(Room room) {
        return !room.scan.isWhole()
                && room.timeline.isEmpty()
                && room.state.isEmpty()
                && !room.scan.limited()
                && !room.summaryChanged;
    }

    private @Nullable Section preview(Room room) {
        var own = room.own;
        var candidate = room.candidate;
        boolean isHeldBack = candidate.kind() == Section.Kind.INVITE
                && own != null
                && request.isUnwanted(own.event().meta().sender());
        if (own == null || isHeldBack) {
            return null;
        }
        return new Section(
                candidate.room(),
                candidate.shard(),
                candidate.kind(),
                List.of(),
                false,
                candidate.upto(),
                List.of(),
                null,
                stripped(own),
                null);
    }

    /** The stripped state stored with the event, and the event itself. */
    private static String stripped(StoredEvent event) {
        var own = event.json();
        own.retain("type", "state_key", "sender", "content");
        var others = event.event().strippedStateJson();
        return others == null || others.equals("[]")
                ? "[" + own + "]"
                : others.substring(0, others.length() - 1) + "," + own + "]";
    }

    private Section section(Room room, @Nullable List<Receipt> receipts) {
        var candidate = room.candidate;
        return new Section(
                candidate.room(),
                candidate.shard(),
                candidate.kind(),
                room.timeline.stream()
                        .map(event -> shown(
                                event,
                                candidate,
                                bundled.get(event.event().meta().eventId())))
                        .toList(),
                room.scan.limited(),
                room.scan.prevPos(),
                room.state.stream().map(event -> shown(event, candidate, null)).toList(),
                room.summary,
                null,
                receipts);
    }

    private ShownEvent shown(StoredEvent event, CandidateRoom room, @Nullable String relations) {
        return new ShownEvent(
                event.pos(),
                event.body(),
                room.history().at(event.pos()),
                ShownEvents.sawPrevious(event, request.user(), room.history()),
                relations);
    }
}
