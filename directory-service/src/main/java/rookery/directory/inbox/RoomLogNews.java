package rookery.directory.inbox;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.directory.alias.Aliases;
import rookery.directory.alias.RoomClient;
import rookery.directory.listing.RoomDirectory;
import rookery.directory.listing.RoomDirectory.RoomUpdate;
import rookery.directory.listing.RoomNews;
import rookery.directory.listing.RoomNews.Listed;
import rookery.directory.listing.RoomNews.Made;
import rookery.directory.listing.RoomNews.MemberSet;
import rookery.directory.listing.RoomNews.Purged;
import rookery.directory.listing.RoomNews.Redacted;
import rookery.directory.listing.RoomNews.StateSet;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.TenantRoom;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.ListingSet;
import rookery.model.topic.RoomLogRecord.RoomPurged;
import rookery.platform.log.follow.Derivation;
import rookery.platform.log.text.RoomLogText;
import tools.jackson.databind.json.JsonMapper;

/**
 * Derives the room directory from the room log, confirms the aliases of created rooms, and moves aliases to the successors of
 * upgraded rooms (contract.md 6, 8.4).
 */
@Component
class RoomLogNews implements Derivation<RoomNews> {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> TELLING = Set.of(RoomLogRecord.EVENT, RoomLogRecord.LISTING, RoomLogRecord.PURGE);
    private static final String REDACTS = "\"redacts\"";

    private final Aliases aliases;
    private final RoomClient rooms;
    private final RoomDirectory directory;

    RoomLogNews(Aliases aliases, RoomClient rooms, RoomDirectory directory) {
        this.aliases = aliases;
        this.rooms = rooms;
        this.directory = directory;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return bare.room() != null && TELLING.contains(bare.kind());
    }

    @Override
    public @Nullable RoomNews read(LogRecord entry) {
        if (!mayTell(entry)) {
            return null;
        }
        return switch (RoomLogText.read(entry.kind(), entry.body())) {
            case ListingSet listing -> new Listed(listing.published());
            case EventAppended event -> news(entry, event);
            case RoomPurged _ -> new Purged();
            case null, default -> null;
        };
    }

    /** Most entries are messages. Parsing every message would be most of this service's work. */
    private static boolean mayTell(LogRecord entry) {
        if (entry.subject() != null || !entry.kind().equals(RoomLogRecord.EVENT)) {
            return true;
        }
        var meta = entry.body().substring(0, Math.max(0, entry.body().indexOf('\n')));
        return meta.contains(REDACTS) || RoomDirectory.SHOWN.stream().anyMatch(meta::contains);
    }

    private static @Nullable RoomNews news(LogRecord entry, EventAppended event) {
        var meta = event.meta();
        var subject = entry.subject();
        if (subject != null) {
            return new MemberSet(
                    subject, meta.membership() == Membership.JOIN, meta.room().joined());
        }
        if (meta.redacts() != null) {
            return new Redacted(meta.redacts().eventId());
        }
        if (!"".equals(meta.stateKey()) || !RoomDirectory.SHOWN.contains(meta.type())) {
            return null;
        }
        var content = JSON.readTree(event.eventJson()).path("content");
        return meta.type().equals(EventTypes.CREATE)
                ? new Made(meta.eventId(), content, content.has("predecessor"))
                : new StateSet(meta.type(), meta.eventId(), content);
    }

    @Override
    public Mono<Void> write(List<News<RoomNews>> news) {
        var updates = news.stream().map(RoomLogNews::update).toList();
        var made = updates.stream().filter(one -> one.news() instanceof Made).toList();
        return directory
                .take(updates)
                .then(Mono.defer(() ->
                        aliases.confirmAll(made.stream().map(RoomUpdate::room).toList())))
                .thenMany(Flux.fromIterable(made))
                .filter(one -> one.news() instanceof Made room && room.claimsPredecessor())
                .concatMap(successor -> move(successor.room()))
                .thenMany(Flux.fromIterable(updates))
                .filter(one -> one.news() instanceof Purged)
                .concatMap(one -> aliases.forget(one.room()))
                .then();
    }

    private static RoomUpdate update(News<RoomNews> news) {
        var entry = news.entry();
        return new RoomUpdate(new TenantRoom(entry.tenant(), Objects.requireNonNull(entry.room())), news.told());
    }

    /**
     * Only room-service can verify the claimed predecessor. While room-service is unavailable, the follower retries this batch.
     */
    private Mono<Void> move(TenantRoom room) {
        return rooms.predecessor(room.tenant(), room.room())
                .flatMap(predecessor -> aliases.move(room.tenant(), predecessor, room.room()))
                .then();
    }

    /** The derivation of the room directory without aliases, which are this service's own data and cannot be derived. */
    Derivation<RoomNews> withoutNames() {
        var news = this;
        return new Derivation<>() {
            @Override
            public boolean wants(LogRecord bare) {
                return news.wants(bare);
            }

            @Override
            public @Nullable RoomNews read(LogRecord entry) {
                return news.read(entry);
            }

            @Override
            public Mono<Void> write(List<News<RoomNews>> entries) {
                return directory.take(entries.stream().map(RoomLogNews::update).toList());
            }

            @Override
            public Mono<Void> drop() {
                return directory.forgetAll();
            }
        };
    }

    @Override
    public Mono<Void> drop() {
        return aliases.doubtAll().then(Mono.defer(directory::forgetAll));
    }
}
