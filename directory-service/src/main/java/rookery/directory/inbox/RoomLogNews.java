// SPDX-License-Identifier: Apache-2.0
package rookery.directory.inbox;

import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.directory.alias.Aliases;
import rookery.directory.alias.RoomClient;
import rookery.directory.listing.RoomDirectory;
import rookery.directory.listing.RoomDirectory.RoomUpdate;
import rookery.directory.listing.RoomNews;
import rookery.directory.listing.RoomNews.Made;
import rookery.directory.listing.RoomNews.Purged;
import rookery.model.id.TenantRoom;

/**
 * Follows the room log: derives the room directory, confirms the aliases of created rooms, and moves aliases to the successors of
 * upgraded rooms (contract.md 6, 8.4).
 */
@Component
class RoomLogNews extends RoomListings {
    private final Aliases aliases;
    private final RoomClient rooms;

    RoomLogNews(Aliases aliases, RoomClient rooms, RoomDirectory directory) {
        super(directory);
        this.aliases = aliases;
        this.rooms = rooms;
    }

    @Override
    public Mono<Void> write(List<News<RoomNews>> news) {
        var updates = news.stream().map(RoomListings::update).toList();
        var made = updates.stream().filter(one -> one.news() instanceof Made).toList();
        return super.write(news)
                .then(Mono.defer(() ->
                        aliases.confirm(made.stream().map(RoomUpdate::room).toList())))
                .thenMany(Flux.fromIterable(made))
                .filter(one -> one.news() instanceof Made room && room.claimsPredecessor())
                .concatMap(successor -> move(successor.room()))
                .thenMany(Flux.fromIterable(updates))
                .filter(one -> one.news() instanceof Purged)
                .concatMap(one -> aliases.forget(one.room()))
                .then();
    }

    /**
     * Only room-service can verify the claimed predecessor. While room-service is unavailable, the follower retries this batch.
     */
    private Mono<Void> move(TenantRoom room) {
        return rooms.predecessor(room.tenant(), room.room())
                .flatMap(predecessor -> aliases.move(room.tenant(), predecessor, room.room()))
                .then();
    }

    @Override
    public Mono<Void> drop() {
        return aliases.doubtAll().then(Mono.defer(super::drop));
    }
}
