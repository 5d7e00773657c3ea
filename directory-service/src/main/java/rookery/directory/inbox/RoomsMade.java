package rookery.directory.inbox;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.directory.alias.Aliases;
import rookery.directory.alias.Aliases.RoomKey;
import rookery.model.event.EventTypes;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.Derivation;
import rookery.platform.log.RoomLogText;

/** Confirms aliases when the room log tells that their rooms were made. */
@Component
class RoomsMade implements Derivation<RoomKey> {
    private final Aliases aliases;

    RoomsMade(Aliases aliases) {
        this.aliases = aliases;
    }

    /** Only a create event has news for us, and membership events are told from it by their header. */
    @Override
    public boolean wants(LogRecord bare) {
        return bare.kind().equals(RoomLogRecord.EVENT) && bare.subject() == null && bare.room() != null;
    }

    @Override
    public @Nullable RoomKey read(LogRecord entry) {
        // most events are not, and reading them all would be most of this service's work
        boolean isCreate = entry.body().contains(EventTypes.CREATE)
                && RoomLogText.read(entry.kind(), entry.body()) instanceof EventAppended event
                && event.meta().type().equals(EventTypes.CREATE)
                && "".equals(event.meta().stateKey());
        return isCreate ? new RoomKey(entry.tenant(), Objects.requireNonNull(entry.room())) : null;
    }

    @Override
    public Mono<Void> write(List<News<RoomKey>> news) {
        return aliases.confirmAll(news.stream().map(News::told).toList()).then();
    }

    @Override
    public Mono<Void> drop() {
        return aliases.doubtAll().then();
    }
}
