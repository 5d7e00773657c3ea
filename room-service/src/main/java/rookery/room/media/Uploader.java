// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.time.Clock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.MediaId;
import rookery.platform.http.BodyStream;
import rookery.platform.http.MediaProperties;
import rookery.room.media.MediaFile.Reserved;
import rookery.room.media.MediaFile.Stored;
import rookery.room.media.MediaFiles.Reservations;
import rookery.room.media.MediaStore.Content;

/**
 * Reserves media ids, so a message can refer to a file before the upload, and uploads files: first the bytes into the store, then
 * the row and the usage in one transaction.
 */
@Component
class Uploader {
    private static final int MS = 1000;

    private final MediaStore store;
    private final MediaFiles files;
    private final MediaUsage usage;
    private final TransactionalOperator tx;
    private final MediaProperties limits;
    private final MediaQuotas quotas;
    private final RoomMediaProperties properties;
    private final Clock clock;
    private final RandomGenerator random;
    private final MediaBytes bytes;

    Uploader(
            MediaStore store,
            MediaFiles files,
            MediaUsage usage,
            TransactionalOperator tx,
            MediaProperties limits,
            MediaQuotas quotas,
            RoomMediaProperties properties,
            Clock clock,
            RandomGenerator random,
            MediaBytes bytes) {
        this.store = store;
        this.files = files;
        this.usage = usage;
        this.tx = tx;
        this.limits = limits;
        this.quotas = quotas;
        this.properties = properties;
        this.clock = clock;
        this.random = random;
        this.bytes = bytes;
    }

    /** The content type and file name that a client declares, unchecked. */
    record Claim(@Nullable String type, @Nullable String name) {}

    /** Returns the id of the new file. M_TOO_LARGE; M_FORBIDDEN beyond a quota. */
    Mono<MediaId> upload(Caller caller, Claim claim, BodyStream body) {
        body.requireAtMost(limits.sizeMax().toBytes());
        return store(caller, claim, body).flatMap(stored -> {
            var id = MediaId.next(random);
            return counted(caller, stored, files.insert(caller.tenant(), id, caller.user(), stored, clock.millis()))
                    .thenReturn(id);
        });
    }

    /**
     * Uploads to a reserved id. M_TOO_LARGE; M_NOT_FOUND for an unknown id or an ended reservation; M_FORBIDDEN for another
     * user's reservation or beyond a quota; M_CANNOT_OVERWRITE_MEDIA for a used id.
     */
    Mono<Void> uploadTo(Caller caller, String server, String id, Claim claim, BodyStream body) {
        body.requireAtMost(limits.sizeMax().toBytes());
        if (!server.equals(caller.server().value())) {
            return Mono.error(MediaId::notFound);
        }
        var reserved = new MediaId(id);
        return files.find(caller.tenant(), reserved)
                .switchIfEmpty(Mono.error(MediaId::notFound))
                .doOnNext(file -> requireOwn(caller, file))
                .flatMap(_ -> store(caller, claim, body))
                .flatMap(stored -> counted(caller, stored, fill(caller, reserved, stored)));
    }

    private void requireOwn(Caller caller, MediaFile file) {
        switch (file) {
            case Stored _ -> throw used();
            case Reserved(var uploader, var until) -> {
                if (until <= clock.millis()) {
                    throw MediaId.notFound();
                }
                if (!uploader.equals(caller.user())) {
                    throw new ApiException(ErrorCode.M_FORBIDDEN, "another user has reserved this id");
                }
            }
        }
    }

    private Mono<Void> fill(Caller caller, MediaId id, Stored stored) {
        return Mono.defer(() -> files.fill(caller.tenant(), id, caller.user(), stored, clock.millis()))
                .filter(filled -> filled)
                .switchIfEmpty(Mono.error(Uploader::used))
                .then();
    }

    private static ApiException used() {
        return new ApiException(ErrorCode.M_CANNOT_OVERWRITE_MEDIA, "this id already has a file");
    }

    private Mono<Stored> store(Caller caller, Claim claim, BodyStream body) {
        long sizeMax = limits.sizeMax().toBytes();
        return usage.bytesLeft(caller.tenant(), caller.user(), quotas.of(caller.tenant()))
                .filter(bytesLeft -> bytesLeft >= Math.max(body.announcedLength(), 1))
                .switchIfEmpty(Mono.error(Uploader::overQuota))
                .flatMap(bytesLeft -> store.put(caller.tenant(), body.parts(), Math.min(bytesLeft, sizeMax))
                        .onErrorMap(failure -> bytesLeft < sizeMax && isTooLarge(failure) ? overQuota() : failure))
                .doOnNext(content -> bytes.uploaded(content.size()))
                .map(content -> stored(content, claim));
    }

    private static Stored stored(Content content, Claim claim) {
        return new Stored(
                content.hash(),
                content.size(),
                ContentType.of(content.beginning(), claim.type),
                ContentType.isWellFormed(claim.type) ? claim.type : null,
                claim.name);
    }

    private Mono<Void> counted(Caller caller, Stored stored, Mono<Void> write) {
        return usage.add(caller.tenant(), caller.user(), stored.size(), quotas.of(caller.tenant()))
                .filter(fits -> fits)
                .switchIfEmpty(Mono.error(Uploader::overQuota))
                .then(write)
                .as(tx::transactional);
    }

    private static boolean isTooLarge(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code == ErrorCode.M_TOO_LARGE;
    }

    private static ApiException overQuota() {
        return new ApiException(
                ErrorCode.M_FORBIDDEN, "this file would be more than you, or all users here, may upload");
    }

    /** A reserved id, and the end of the reservation in ms. */
    record Reservation(MediaId id, long unusedUntilMillis) {}

    /** M_LIMIT_EXCEEDED for a user with too many open reservations. */
    Mono<Reservation> reserve(Caller caller) {
        return Mono.defer(() -> {
                    long now = clock.millis();
                    var reservation = new Reservation(
                            MediaId.next(random),
                            now + properties.reservationLife().toMillis());
                    return usage.lock(caller.tenant(), caller.user())
                            .then(files.reservations(caller.tenant(), caller.user(), now))
                            .doOnNext(others -> requireFew(others, now))
                            .then(files.reserve(
                                    caller.tenant(), reservation.id, caller.user(), now, reservation.unusedUntilMillis))
                            .thenReturn(reservation);
                })
                .as(tx::transactional);
    }

    private void requireFew(Reservations others, long now) {
        if (others.count() >= properties.reservationsMax()) {
            long waitMs = Math.max(1, others.firstEndMillis() - now);
            throw new ApiException(
                            ErrorCode.M_LIMIT_EXCEEDED, "you have too many reserved ids, upload to some of them first")
                    .with("retry_after_ms", waitMs)
                    .withRetryAfter((int) ((waitMs + MS - 1) / MS));
        }
    }
}
