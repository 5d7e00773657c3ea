package rookery.room.media;

import java.time.Clock;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.room.media.MediaFile.Reserved;
import rookery.room.media.MediaFile.Stored;

/** Finds what somebody wants to download. Whoever has a token of the tenant and knows the id may have it. */
@Component
class MediaFinder {
    private final MediaFiles files;
    private final RoomMediaProperties properties;
    private final Clock clock;

    MediaFinder(MediaFiles files, RoomMediaProperties properties, Clock clock) {
        this.files = files;
        this.properties = properties;
        this.clock = clock;
    }

    /** M_NOT_FOUND, M_NOT_YET_UPLOADED. */
    Mono<Stored> find(Caller caller, String server, String id) {
        if (!server.equals(caller.server().value())) {
            return Mono.error(MediaId::notFound);
        }
        return files.find(caller.tenant(), new MediaId(id))
                .map(this::stored)
                .switchIfEmpty(Mono.error(MediaId::notFound));
    }

    /** M_NOT_FOUND unless files are for everybody who knows their ids. */
    void requireOpenToAll() {
        if (!properties.servesWithoutToken()) {
            throw MediaId.notFound();
        }
    }

    private Stored stored(MediaFile file) {
        return switch (file) {
            case Stored stored -> stored;
            case Reserved(var _, var until) ->
                throw until <= clock.millis()
                        ? MediaId.notFound()
                        : new ApiException(ErrorCode.M_NOT_YET_UPLOADED, "nothing was uploaded yet under this id");
        };
    }
}
