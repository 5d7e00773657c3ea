// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.MembershipChange;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.json.CanonicalJson;
import rookery.platform.log.text.RoomLogText;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.draft.EventLine;
import rookery.room.draft.EventText;
import rookery.room.section.Section.Kind;
import rookery.room.section.Section.ShownEvent;
import rookery.room.section.SectionRows.KnownRoom;
import rookery.room.section.SectionRows.Purge;
import tools.jackson.databind.node.JsonNodeFactory;

/** The section of a purged room: a leave event for the reader that is not in the log (contract.md 5.4). */
final class PurgedRooms {
    private static final String REASON = "room removed";

    private PurgedRooms() {}

    /** A section for every client at a position before the purge, whatever its filter: the room is never mentioned again. */
    static Optional<Section> of(KnownRoom room, SyncRequest request, Positions upto) {
        var purge = room.purge();
        if (purge == null || request.isInitial()) {
            return Optional.empty();
        }
        long pos = room.history().spans().getLast().from();
        return pos > request.since(room.room(), room.shard()) && pos <= upto.at(room.shard())
                ? Optional.of(section(room, purge, request, pos))
                : Optional.empty();
    }

    private static Section section(KnownRoom room, Purge purge, SyncRequest request, long pos) {
        var body = RoomLogText.write(leave(room.room(), purge, request.user()));
        var end = List.of(new ShownEvent(pos, body, Membership.LEAVE, false, null));
        return new Section(
                room.room(),
                room.shard(),
                Kind.LEAVE,
                end,
                false,
                pos,
                request.stateAfter() ? end : List.of(),
                null,
                null,
                null);
    }

    private static EventAppended leave(RoomId room, Purge purge, UserId user) {
        var id = id(room, user);
        var content = JsonNodeFactory.instance.objectNode();
        content.put("membership", Membership.LEAVE.word).put("reason", REASON);
        var text = new EventText(CanonicalJson.write(content), null, null);
        var empty = new RoomAtEvent(HistoryVisibility.SHARED, 0, 0);
        var meta = EventMeta.builder(id, EventTypes.MEMBER, purge.by(), purge.at(), empty)
                .stateKey(user.value())
                .membershipChange(new MembershipChange(Membership.JOIN, Membership.LEAVE))
                .build();
        return new EventAppended(
                meta, EventLine.write(id, EventTypes.MEMBER, user.value(), purge.by(), text, purge.at()), null, null);
    }

    /** An event id equal for all devices of the user. */
    private static EventId id(RoomId room, UserId user) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            byte[] hash =
                    digest.digest(("purge " + room.value() + " " + user.value()).getBytes(StandardCharsets.UTF_8));
            return new EventId("$" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
