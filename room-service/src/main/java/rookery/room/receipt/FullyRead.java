// SPDX-License-Identifier: Apache-2.0
package rookery.room.receipt;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.draft.RoomDraft.ReadEvent;
import rookery.room.receipt.FullyReadClient.StoredMarker;
import rookery.room.timeline.TimelineRows;

/**
 * Moves the {@code m.fully_read} marker, account data of the room, forward only. This service knows the order of two events;
 * auth-service, the owner of account data, detects concurrent moves by the version of the marker.
 */
@Component
class FullyRead {
    private static final int ATTEMPTS = 5;
    private static final int CONFLICT = 409;

    private final FullyReadClient client;
    private final TimelineRows timeline;

    FullyRead(FullyReadClient client, TimelineRows timeline) {
        this.client = client;
        this.timeline = timeline;
    }

    /** Does nothing if the marker is already at the event or further. */
    Mono<Void> move(TenantRoom room, UserId user, ReadEvent read) {
        return attempt(room, user, read, ATTEMPTS);
    }

    private Mono<Void> attempt(TenantRoom room, UserId user, ReadEvent read, int attemptsLeft) {
        return client.find(room, user)
                .filterWhen(stored -> isBehind(room, stored, read))
                .flatMap(stored -> client.set(room, user, read.event(), stored.pos()))
                .onErrorResume(
                        FullyRead::wasMovedMeanwhile,
                        _ -> attemptsLeft > 1
                                ? attempt(room, user, read, attemptsLeft - 1)
                                : Mono.error(ApiException.unavailable("other devices move the marker now, try again")));
    }

    private Mono<Boolean> isBehind(TenantRoom room, StoredMarker stored, ReadEvent read) {
        var event = stored.event();
        if (event == null) {
            return Mono.just(true);
        }
        return timeline.find(room, event)
                .map(marked -> marked.pos() < read.pos())
                .defaultIfEmpty(true);
    }

    private static boolean wasMovedMeanwhile(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.status == CONFLICT;
    }
}
