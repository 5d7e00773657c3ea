// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.time.Clock;
import java.time.Duration;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.MediaId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import rookery.room.media.MediaFile;
import rookery.room.media.MediaFile.Reserved;
import rookery.room.media.MediaFile.Stored;
import rookery.room.media.MediaFiles;
import rookery.room.media.RoomMediaProperties;

/** Finds files for downloads. A token of the tenant and the id suffice. */
@Component
class MediaFinder {
    private static final long WAITING_MAX_MILLIS = 10_000;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final MediaFiles files;
    private final RoomMediaProperties properties;
    private final Tenants tenants;
    private final Clock clock;

    MediaFinder(MediaFiles files, RoomMediaProperties properties, Tenants tenants, Clock clock) {
        this.files = files;
        this.properties = properties;
        this.tenants = tenants;
        this.clock = clock;
    }

    /**
     * Waits for an upload to a reserved id for as long as the client asks, at most 10 s, which is less than the gateway's
     * timeout. M_NOT_FOUND, M_NOT_YET_UPLOADED.
     */
    Mono<Stored> find(Caller caller, String server, String id, long timeoutMillis) {
        long end = clock.millis() + Math.clamp(timeoutMillis, 0, WAITING_MAX_MILLIS);
        return find(caller, server, id)
                .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, LOOK_AGAIN)
                        .filter(failure -> isNotYetUploaded(failure) && clock.millis() < end)
                        .onRetryExhaustedThrow((_, last) -> last.failure()));
    }

    private static boolean isNotYetUploaded(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_YET_UPLOADED;
    }

    private Mono<Stored> find(Caller caller, String server, String id) {
        if (!server.equals(caller.server().value())) {
            return Mono.error(MediaId::notFound);
        }
        return files.find(caller.tenant(), new MediaId(id))
                .map(this::stored)
                .switchIfEmpty(Mono.error(MediaId::notFound));
    }

    /** M_NOT_FOUND unless the tenant serves files without a token. */
    void requireOpenToAll(Caller caller) {
        if (!tenants.setting(caller.tenant(), TenantSettings.MEDIA_WITHOUT_TOKEN, properties.servesWithoutToken())) {
            throw MediaId.notFound();
        }
    }

    private Stored stored(MediaFile file) {
        return switch (file) {
            case Stored stored -> stored;
            case Reserved(var _, var until) ->
                throw until <= clock.millis()
                        ? MediaId.notFound()
                        : new ApiException(ErrorCode.M_NOT_YET_UPLOADED, "no file was uploaded to this id yet");
        };
    }
}
