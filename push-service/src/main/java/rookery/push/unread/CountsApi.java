// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.push.count.ReadPositions;
import rookery.push.unread.CountRows.RequestedRoom;
import rookery.push.unread.Unread.Counts;
import rookery.push.unread.Unread.Tally;

/** Unread counts for sync nodes (design.md 4). Internal. */
@RestController
class CountsApi {
    private final Unread unread;

    CountsApi(Unread unread) {
        this.unread = unread;
    }

    @Callers(ServiceName.SYNC)
    @PostMapping("/internal/counts")
    Mono<Answer> counts(@RequestBody Question question) {
        if (question.upto.size() != Shards.COUNT) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "upto has a position for each shard");
        }
        var rooms = question.rooms == null
                ? null
                : question.rooms.stream().map(RoomQuery::room).toList();
        return unread.of(new TenantUser(question.tenant, question.user), question.upto, rooms)
                .map(Answer::of);
    }

    /** A request for a user's counts up to these positions by shard; null for all rooms with unread events. */
    record Question(
            TenantId tenant,
            UserId user,
            List<Long> upto,
            @Nullable List<RoomQuery> rooms) {}

    /** A room, with reads and redactions that the caller knows of; they apply even if not yet counted here. */
    record RoomQuery(
            @JsonProperty("room_id") RoomId roomId,
            @Nullable List<ReadMarker> reads,
            @Nullable Set<Long> redacted) {
        private RequestedRoom room() {
            var markers = reads == null ? List.<ReadMarker>of() : reads;
            return new RequestedRoom(
                    roomId,
                    markers.stream().map(ReadMarker::row).toList(),
                    redacted == null ? Set.of() : new HashSet<>(redacted));
        }
    }

    /** @param thread {@code main} or a root; null for the whole room */
    record ReadMarker(@Nullable String thread, long pos) {
        private CountRows.ReadRow row() {
            return new CountRows.ReadRow(thread == null ? ReadPositions.UNTHREADED : thread, pos);
        }
    }

    /**
     * The unread counts.
     *
     * @param positions the positions to which the counts refer
     * @param counted the positions counted so far; events beyond are judged by the rules up to {@code userPos} or newer ones
     * @param userEpoch of the user log
     * @param userPos the position of the user log up to which the user's rules and ignored users are applied
     */
    record Answer(
            long epoch,
            List<Long> positions,
            List<Room> rooms,
            List<Long> counted,
            @JsonProperty("user_epoch") long userEpoch,
            @JsonProperty("user_pos") long userPos) {
        static Answer of(Counts counts) {
            var rooms = counts.rooms().entrySet().stream()
                    .map(room -> new Room(room.getKey(), threads(room.getValue())))
                    .toList();
            return new Answer(
                    counts.epoch(),
                    counts.positions(),
                    rooms,
                    counts.counted(),
                    counts.userLog().epoch(),
                    counts.userLog().pos());
        }

        private static Map<String, List<Long>> threads(Map<String, Tally> tallies) {
            var threads = new TreeMap<String, List<Long>>();
            tallies.forEach((thread, tally) -> threads.put(thread, List.of(tally.n(), tally.h())));
            return threads;
        }
    }

    /** @param threads by {@code main} or root: the number of notifying events, and of highlights */
    record Room(@JsonProperty("room_id") RoomId roomId, Map<String, List<Long>> threads) {}
}
