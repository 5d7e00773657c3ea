// SPDX-License-Identifier: Apache-2.0
package rookery.push.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.platform.log.follow.Derivation;
import rookery.platform.log.text.RoomLogText;
import rookery.push.count.RoomCounter;

/** Counts events and receipts of the room log. */
@Component
class RoomLogNews implements Derivation<RoomLogRecord> {
    /** A purge counts nothing, but its position must be recorded at once, because {@code PurgeApi} waits for the position. */
    private static final Set<String> COUNTED = Set.of(RoomLogRecord.EVENT, RoomLogRecord.RECEIPT, RoomLogRecord.PURGE);

    private final RoomCounter counter;
    private final Duration gathering;

    RoomLogNews(RoomCounter counter, InboxProperties properties) {
        this.counter = counter;
        this.gathering = properties.gathering();
    }

    @Override
    public Duration gathering() {
        return gathering;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return bare.room() != null && COUNTED.contains(bare.kind());
    }

    @Override
    public @Nullable RoomLogRecord read(LogRecord entry) {
        return RoomLogText.read(entry.kind(), entry.body());
    }

    @Override
    public Mono<Void> write(List<News<RoomLogRecord>> news) {
        return counter.count(news);
    }

    @Override
    public Mono<Void> drop() {
        return counter.drop();
    }
}
