package rookery.directory.inbox;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.directory.alias.Aliases;
import rookery.directory.alias.Aliases.RoomKey;
import rookery.directory.alias.RoomClient;
import rookery.directory.inbox.RoomsMade.Made;
import rookery.model.event.EventTypes;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.Derivation;
import rookery.platform.log.RoomLogText;

/**
 * Confirms aliases when the room log tells that their rooms were made, and moves them when a room took another one's place
 * (CONTRACT.md 8.4).
 */
@Component
class RoomsMade implements Derivation<Made> {
    private final Aliases aliases;
    private final RoomClient rooms;

    RoomsMade(Aliases aliases, RoomClient rooms) {
        this.aliases = aliases;
        this.rooms = rooms;
    }

    /** A new room, and whether it claims to be another one's successor, which anybody may. */
    record Made(RoomKey room, boolean claimsPredecessor) {}

    /** Only a create event has news for us, and membership events are told from it by their header. */
    @Override
    public boolean wants(LogRecord bare) {
        return bare.kind().equals(RoomLogRecord.EVENT) && bare.subject() == null && bare.room() != null;
    }

    @Override
    public @Nullable Made read(LogRecord entry) {
        // most events are not, and reading them all would be most of this service's work
        boolean isCreate = entry.body().contains(EventTypes.CREATE)
                && RoomLogText.read(entry.kind(), entry.body()) instanceof EventAppended event
                && event.meta().type().equals(EventTypes.CREATE)
                && "".equals(event.meta().stateKey());
        return isCreate
                ? new Made(
                        new RoomKey(entry.tenant(), Objects.requireNonNull(entry.room())),
                        entry.body().contains("\"predecessor\""))
                : null;
    }

    @Override
    public Mono<Void> write(List<News<Made>> news) {
        var made = news.stream().map(News::told).toList();
        return aliases.confirmAll(made.stream().map(Made::room).toList())
                .thenMany(Flux.fromIterable(made))
                .filter(Made::claimsPredecessor)
                .concatMap(successor -> move(successor.room))
                .then();
    }

    /** Room-service knows whether the claim is true. While it does not answer, the log is not followed further. */
    private Mono<Void> move(RoomKey room) {
        return rooms.predecessor(room.tenant(), room.room())
                .flatMap(predecessor -> aliases.move(room.tenant(), predecessor, room.room()))
                .then();
    }

    @Override
    public Mono<Void> drop() {
        return aliases.doubtAll().then();
    }
}
