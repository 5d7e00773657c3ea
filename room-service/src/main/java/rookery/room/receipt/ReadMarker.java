// SPDX-License-Identifier: Apache-2.0
package rookery.room.receipt;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.AccountDataTypes;
import rookery.model.event.ReceiptTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.room.draft.RoomDraft.OfReceipts;
import rookery.room.draft.RoomDraft.ReadEvent;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader;
import rookery.room.timeline.RoomReader.ReaderInRoom;
import rookery.room.timeline.TimelineRows;

/**
 * Writes receipts and the fully-read marker. All marks of a request are checked before the first is written. Visibility is read
 * before the shard is locked, since events stay visible to a member while joined; membership and earlier receipts are judged
 * under the lock.
 */
@Component
class ReadMarker {
    private final RoomReader reader;
    private final TimelineRows timeline;
    private final RoomLog roomLog;
    private final FullyRead fullyRead;

    ReadMarker(RoomReader reader, TimelineRows timeline, RoomLog roomLog, FullyRead fullyRead) {
        this.reader = reader;
        this.timeline = timeline;
        this.roomLog = roomLog;
        this.fullyRead = fullyRead;
    }

    /** @param thread {@code main}, the root of a thread, or null for an unthreaded receipt */
    record Mark(String type, EventId event, @Nullable String thread) {}

    /**
     * M_FORBIDDEN unless joined; M_NOT_FOUND for an event hidden from the caller; M_INVALID_PARAM for an event of another thread.
     */
    Mono<Void> set(Caller caller, RoomId room, List<Mark> marks) {
        return reader.member(caller, room)
                .flatMap(reading -> Flux.fromIterable(marks)
                        .concatMap(mark -> checked(reading, mark))
                        .collectList()
                        .flatMap(reads -> written(reading, reads)));
    }

    private Mono<ReadEvent> checked(ReaderInRoom reading, Mark mark) {
        return timeline.find(reading.room(), mark.event)
                .filter(reading::sees)
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such event")))
                .map(event -> checked(mark, event));
    }

    private static ReadEvent checked(Mark mark, StoredEvent event) {
        if (mark.thread != null && !mark.thread.equals(thread(event))) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the event is not in that thread");
        }
        return new ReadEvent(mark.type, mark.thread, mark.event, event.pos());
    }

    private static String thread(StoredEvent event) {
        var root = event.event().meta().thread();
        return root == null ? ReceiptTypes.MAIN_THREAD : root.value();
    }

    private Mono<Void> written(ReaderInRoom reading, List<ReadEvent> reads) {
        var receipts = reads.stream().filter(read -> !isFullyRead(read)).toList();
        var append = receipts.isEmpty()
                ? Mono.empty()
                : roomLog.append(new OfReceipts(reading.room(), reading.user(), receipts));
        var move = Flux.fromIterable(reads)
                .filter(ReadMarker::isFullyRead)
                .concatMap(read -> fullyRead.move(reading.room(), reading.user(), read));
        return append.thenMany(move).then();
    }

    private static boolean isFullyRead(ReadEvent read) {
        return Objects.equals(read.type(), AccountDataTypes.FULLY_READ);
    }
}
