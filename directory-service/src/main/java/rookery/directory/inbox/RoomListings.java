// SPDX-License-Identifier: Apache-2.0
package rookery.directory.inbox;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
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

/** Derives the room directory from the room log, but no aliases, which are this service's own data and cannot be derived. */
class RoomListings implements Derivation<RoomNews> {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> FOLLOWED = Set.of(RoomLogRecord.EVENT, RoomLogRecord.LISTING, RoomLogRecord.PURGE);
    private static final String REDACTS = "\"redacts\"";

    private final RoomDirectory directory;

    RoomListings(RoomDirectory directory) {
        this.directory = directory;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return bare.room() != null && FOLLOWED.contains(bare.kind());
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
        return directory.take(news.stream().map(RoomListings::update).toList());
    }

    static RoomUpdate update(News<RoomNews> news) {
        var entry = news.entry();
        return new RoomUpdate(new TenantRoom(entry.tenant(), Objects.requireNonNull(entry.room())), news.parsedEntry());
    }

    @Override
    public Mono<Void> drop() {
        return directory.forgetAll();
    }
}
