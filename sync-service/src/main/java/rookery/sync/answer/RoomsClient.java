// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import rookery.model.error.ApiException;
import rookery.model.event.Membership;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.platform.http.AnswerReservation;
import rookery.platform.http.ServiceClient;
import rookery.platform.log.text.RoomLogText;
import rookery.platform.runtime.Turnstile;
import rookery.sync.ring.RingEvent;
import rookery.sync.ring.RoomPart;
import rookery.sync.ring.RoomPart.Line;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.ring.RoomPart.Summary;
import tools.jackson.databind.json.JsonMapper;

/** Reads rooms from room-service where this node's memory does not suffice: all rooms of a user, or some, in one call. */
@Component
class RoomsClient {
    private static final Logger log = LoggerFactory.getLogger(RoomsClient.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    /** A slow client delays room-service instead of filling this node's memory. */
    private static final int ROOMS_AT_ONCE = 8;

    private static final int CHARS_AT_ONCE = 1 << 20;

    private final ServiceClient services;
    private final MeterRegistry meters;
    private final Turnstile whole;
    private final Turnstile some;

    RoomsClient(ServiceClient services, MeterRegistry meters, ColdProperties properties) {
        this.services = services;
        this.meters = meters;
        this.whole = new Turnstile(properties.wholeAtOnce(), properties.wholeWaitingMax());
        this.some = new Turnstile(properties.roomsAtOnce(), properties.roomsWaitingMax());
        Gauge.builder("sync_cold_waiting", this, client -> client.whole.waiting() + client.some.waiting())
                .description("calls to room-service that wait for a turn")
                .register(meters);
    }

    /**
     * The range {@code (since, upto]}; without {@code since} a complete answer, without {@code upto} up to the heads.
     *
     * @param after by room: positions that replace {@code since}, 0 for the whole room
     * @param membersAfter by room: positions up to which the client has the members of a whole room ({@link RoomStart})
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and written once
    record RoomsRequest(
            TenantId tenant,
            UserId user,
            long @Nullable [] since,
            long @Nullable [] upto,
            @Nullable List<RoomId> rooms,
            RoomFilter filter,
            @JsonProperty("full_state") boolean fullState,
            Set<String> ignored,
            @JsonProperty("state_after") boolean stateAfter,
            @JsonProperty("blocks_invites") boolean blocksInvites,
            @Nullable Map<String, Long> after,
            @JsonProperty("members_after") @Nullable Map<String, Long> membersAfter) {}

    /** Room-service's answer: the rooms with content, as of the positions. */
    record RoomsAnswer(long epoch, Positions positions, List<RoomPart> rooms, Map<RoomId, List<Receipt>> receipts) {}

    /** Reads a bounded amount in one answer: some rooms, or the changes since a position. */
    Mono<RoomsAnswer> ask(RoomsRequest request) {
        return parts(request, some, Integer.MAX_VALUE).single();
    }

    /** Reads rooms in order, in answers of a few rooms, at least one answer. For complete answers, which may be large. */
    Flux<RoomsAnswer> askForAll(RoomsRequest request) {
        return parts(request, whole, ROOMS_AT_ONCE);
    }

    private Flux<RoomsAnswer> parts(RoomsRequest request, Turnstile turnstile, int roomsAtOnce) {
        Counter.builder("sync_cold_calls")
                .description("calls to room-service for rooms that memory could not answer")
                .tag("rooms", request.rooms == null ? "all" : "some")
                .register(meters)
                .increment();
        var lines = services.lines("room-service", request.user.value(), "/internal/sync", request);
        return turnstile.passAll(
                request.tenant,
                request.user,
                Flux.deferContextual(context -> new Lines(roomsAtOnce, AnswerReservation.of(context)).read(lines)));
    }

    private static final class Lines {
        /** An event takes memory three times: in the line, as event text, and parsed. */
        private static final int BYTES_OF_CHAR = 3;

        private final int roomsAtOnce;
        private final AnswerReservation reservation;
        private final List<WireRoom> waiting = new ArrayList<>();
        private @Nullable WireHead head;
        private int rooms;
        private long chars;
        private boolean hasEmitted;
        private boolean ended;

        Lines(int roomsAtOnce, AnswerReservation reservation) {
            this.roomsAtOnce = roomsAtOnce;
            this.reservation = reservation;
        }

        Flux<RoomsAnswer> read(Flux<String> lines) {
            return lines.<RoomsAnswer>handle(this::take).concatWith(Mono.defer(this::last));
        }

        private void take(String line, SynchronousSink<RoomsAnswer> sink) {
            var header = head;
            if (header == null) {
                head = JSON.readValue(line, WireHead.class);
                return;
            }
            chars += line.length();
            reserve(BYTES_OF_CHAR * chars);
            var room = JSON.readValue(line, WireRoom.class);
            if (room.end != null) {
                ended = room.end == rooms;
                return;
            }
            rooms++;
            waiting.add(room);
            if (waiting.size() >= roomsAtOnce || (isInParts() && chars >= CHARS_AT_ONCE)) {
                sink.next(answered(header));
            }
        }

        private void reserve(long bytes) {
            if (isInParts()) {
                reservation.atLeastOfPart(bytes); // a room is one line
            } else {
                reservation.atLeast(bytes);
            }
        }

        private boolean isInParts() {
            return roomsAtOnce < Integer.MAX_VALUE;
        }

        /** An answer without its last line is truncated, because room-service died, and is an error. */
        private Mono<RoomsAnswer> last() {
            var header = head;
            if (header == null || !ended) {
                return Mono.error(
                        ApiException.unavailable("room-service did not finish its answer, try again in a moment"));
            }
            return waiting.isEmpty() && hasEmitted ? Mono.empty() : Mono.just(answered(header));
        }

        private RoomsAnswer answered(WireHead header) {
            hasEmitted = true;
            var parts = waiting.stream().map(WireRoom::part).toList();
            var receipts = new HashMap<RoomId, List<Receipt>>();
            waiting.forEach(room -> {
                if (room.receipts != null && room.roomId != null) {
                    receipts.put(room.roomId, room.receipts);
                }
            });
            waiting.clear();
            chars = isInParts() ? 0 : chars;
            return new RoomsAnswer(header.epoch, Positions.of(header.positions), parts, receipts);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and read once
    record WireHead(long epoch, long[] positions) {}

    /** A room; the last line contains the number of rooms only. */
    record WireRoom(
            @JsonProperty("room_id") @Nullable RoomId roomId,
            @Nullable Integer shard,
            @Nullable Section section,
            @Nullable List<WireEvent> timeline,
            @Nullable Boolean limited, // absent for invites
            @JsonProperty("prev_pos") @Nullable Long prevPos,
            @Nullable List<WireEvent> state,
            @Nullable Summary summary,
            @Nullable String stripped,
            @Nullable List<Receipt> receipts,
            @Nullable Integer end) {
        RoomPart part() {
            return new RoomPart(
                    Objects.requireNonNull(roomId),
                    Objects.requireNonNull(shard),
                    Objects.requireNonNull(section),
                    lines(timeline),
                    Boolean.TRUE.equals(limited),
                    prevPos == null ? 0 : prevPos,
                    lines(state),
                    summary,
                    stripped);
        }

        /** An unreadable event is skipped and logged. */
        private List<Line> lines(@Nullable List<WireEvent> events) {
            var lines = new ArrayList<Line>();
            for (var event : events == null ? List.<WireEvent>of() : events) {
                try {
                    if (RoomLogText.read(RoomLogRecord.EVENT, event.body) instanceof EventAppended appended) {
                        lines.add(new Line(
                                new RingEvent(event.pos, appended),
                                event.membership,
                                event.sawPrevious,
                                event.relations));
                    }
                } catch (RuntimeException e) {
                    log.atError()
                            .addKeyValue("shard", String.valueOf(shard))
                            .addKeyValue("pos", event.pos)
                            .setCause(e)
                            .log("an event cannot be read");
                }
            }
            return lines;
        }
    }

    record WireEvent(
            long pos,
            String body,
            Membership membership,
            @JsonProperty("saw_previous") boolean sawPrevious,
            @Nullable String relations) {}
}
