package rookery.sync.sync;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.platform.http.ServiceClient;
import rookery.platform.log.RoomLogText;
import rookery.sync.stream.Held;
import rookery.sync.stream.RoomPart;
import rookery.sync.stream.RoomPart.Line;
import rookery.sync.stream.RoomPart.Section;
import rookery.sync.stream.RoomPart.Summary;
import rookery.sync.waiting.Turnstile;

/** Asks room-service for what this node does not hold: all of a user's rooms, or a few, in one call. */
@Component
class RoomsClient {
    private static final Logger log = LoggerFactory.getLogger(RoomsClient.class);

    private final ServiceClient services;
    private final MeterRegistry meters;
    private final Turnstile whole;
    private final Turnstile some;

    RoomsClient(ServiceClient services, MeterRegistry meters, ColdProperties properties) {
        this.services = services;
        this.meters = meters;
        this.whole = new Turnstile(properties.wholeAtOnce(), properties.wholeWaitingMax());
        this.some = new Turnstile(properties.roomsAtOnce(), properties.roomsWaitingMax());
    }

    /** What is asked: everything in {@code (since, upto]}; without since the whole picture, without upto up to the heads. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and written once
    record Question(
            TenantId tenant,
            UserId user,
            long @Nullable [] since,
            long @Nullable [] upto,
            @Nullable List<RoomId> rooms,
            RoomFilter filter,
            @JsonProperty("full_state") boolean fullState,
            Set<String> ignored,
            @JsonProperty("state_after") boolean stateAfter) {}

    /** What is answered: the rooms that have something to say, as of these positions. */
    record Answered(long epoch, Positions positions, List<RoomPart> rooms, Map<RoomId, List<Receipt>> receipts) {}

    Mono<Answered> ask(Question question) {
        boolean all = question.rooms == null;
        meters.counter("sync_cold_calls", "rooms", all ? "all" : "some").increment();
        var call = services.post("room-service", question.user.value(), "/internal/sync", question, Wire.class);
        return (all ? whole : some).pass(call).map(Wire::answered);
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and read once
    record Wire(
            long epoch,
            long[] positions,
            List<WireRoom> rooms,
            @Nullable List<WireReceipts> receipts) { // an older release of room-service knows none
        Answered answered() {
            return new Answered(
                    epoch,
                    Positions.of(positions),
                    rooms.stream().map(WireRoom::part).toList(),
                    (receipts == null ? List.<WireReceipts>of() : receipts)
                            .stream().collect(Collectors.toMap(WireReceipts::room, WireReceipts::receipts)));
        }
    }

    record WireReceipts(@JsonProperty("room_id") RoomId room, List<Receipt> receipts) {}

    record WireRoom(
            @JsonProperty("room_id") RoomId roomId,
            int shard,
            Section section,
            @Nullable List<WireEvent> timeline,
            @Nullable Boolean limited, // an invite has no timeline
            @JsonProperty("prev_pos") @Nullable Long prevPos,
            @Nullable List<WireEvent> state,
            @Nullable WireSummary summary,
            @Nullable String stripped) {
        RoomPart part() {
            return new RoomPart(
                    roomId,
                    shard,
                    section,
                    lines(timeline),
                    Boolean.TRUE.equals(limited),
                    prevPos == null ? 0 : prevPos,
                    lines(state),
                    summary == null ? null : new Summary(summary.joined, summary.invited, summary.heroes),
                    stripped);
        }

        /** One event that cannot be read does not spoil the others. */
        private List<Line> lines(@Nullable List<WireEvent> events) {
            var lines = new ArrayList<Line>();
            for (var event : events == null ? List.<WireEvent>of() : events) {
                try {
                    if (RoomLogText.read(RoomLogRecord.EVENT, event.body) instanceof EventAppended appended) {
                        lines.add(new Line(
                                new Held(event.pos, appended), event.membership, event.sawPrevious, event.relations));
                    }
                } catch (RuntimeException e) {
                    log.atError()
                            .addKeyValue("shard", shard)
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

    record WireSummary(int joined, int invited, @Nullable List<String> heroes) {}
}
