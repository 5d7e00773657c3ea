package rookery.push.inbox;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.platform.log.Derivation;
import rookery.platform.log.RoomLogText;
import rookery.push.count.RoomCounter;

/** Counts events and receipts. */
@Component
class RoomLogNews implements Derivation<RoomLogRecord> {
    private final RoomCounter counter;

    RoomLogNews(RoomCounter counter) {
        this.counter = counter;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return bare.room() != null
                && (bare.kind().equals(RoomLogRecord.EVENT) || bare.kind().equals(RoomLogRecord.RECEIPT));
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
