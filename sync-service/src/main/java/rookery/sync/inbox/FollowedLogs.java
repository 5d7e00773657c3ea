// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenOwner;

/** The room log and the user log, as followed by this node. */
@Component
public record FollowedLogs(
        @Qualifier("roomLog") FollowedLog rooms,
        @Qualifier("userLog") FollowedLog users) {
    /** Completes when this node has followed both logs up to their ends at the time of the call. */
    public Mono<Void> caughtUp() {
        return Mono.when(rooms.caughtUp(), users.caughtUp());
    }

    /** Compares a client's token with this node's positions; 503 before the node has begun. */
    public TokenState compare(SyncToken token, TokenOwner owner) {
        return new TokenState(token, owner.user(), rooms.now(), users.now(), rooms.earlier(), users.earlier());
    }
}
