// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import static rookery.room.table.RoomColumns.texts;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Activity;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.StoredEvent;

/** Reads by what the rooms of a user are sorted and filtered in the lists of sliding sync (contract.md 10.9). */
@Component
class ActivityReader {
    private static final String READ = """
            SELECT k.room_id, own.membership, member.ts AS member_ms, member.sender, newest.ts AS last_ms, bump.ts AS bump_ms,
                   created.pos AS create_pos, created.body AS create_body,
                   EXISTS (SELECT FROM room.state s
                            WHERE s.tenant = :tenant AND s.room_id = k.room_id
                              AND s.type = 'm.room.encryption' AND s.state_key = '') AS encrypted
              FROM unnest(:rooms::text[]) AS k (room_id)
             CROSS JOIN LATERAL (SELECT m.membership, m.valid_from FROM room.member_history m
                                  WHERE m.tenant = :tenant AND m.room_id = k.room_id AND m.user_id = :user
                                  ORDER BY m.valid_from DESC LIMIT 1) own
             CROSS JOIN LATERAL (SELECT e.ts, e.sender FROM room.event e
                                  WHERE e.tenant = :tenant AND e.room_id = k.room_id AND e.pos = own.valid_from) member
             CROSS JOIN LATERAL (SELECT e.ts FROM room.event e
                                  WHERE e.tenant = :tenant AND e.room_id = k.room_id
                                  ORDER BY e.pos DESC LIMIT 1) newest
             CROSS JOIN LATERAL (SELECT e.ts FROM room.event e
                                  WHERE e.tenant = :tenant AND e.room_id = k.room_id AND e.type = ANY (:types::text[])
                                  ORDER BY e.pos DESC LIMIT 1) bump
             CROSS JOIN LATERAL (SELECT l.pos, l.body FROM room.state s
                                   JOIN room.room r ON r.tenant = :tenant AND r.room_id = k.room_id
                                   JOIN room.entry_body l ON l.shard = r.shard AND l.pos = s.valid_from
                                  WHERE s.tenant = :tenant AND s.room_id = k.room_id
                                    AND s.type = 'm.room.create' AND s.state_key = '' LIMIT 1) created
            """;

    private final DatabaseClient db;

    ActivityReader(DatabaseClient db) {
        this.db = db;
    }

    /**
     * The activity of a room for a user. Users outside of the room get the time of their own member event only.
     *
     * @param lastMs the time of the room's last event
     * @param bumpMs the time of the last event by which clients sort rooms ({@link Activity})
     * @param type the room's type of its create event
     * @param isEncrypted whether the room has ever been encrypted
     * @param inviter the sender of the user's invitation; null for other memberships
     */
    record RoomActivity(
            @JsonProperty("room_id") RoomId roomId,
            @JsonProperty("last_ms") long lastMs,
            @JsonProperty("bump_ms") long bumpMs,
            @Nullable String type,
            @JsonProperty("encrypted") boolean isEncrypted,
            @Nullable UserId inviter) {}

    /** Rooms without a membership of the user, and purged rooms, are left out. */
    Mono<List<RoomActivity>> read(TenantUser user, Collection<RoomId> rooms) {
        return db.sql(READ)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .bind("rooms", texts(rooms, RoomId::value))
                .bind("types", texts(Activity.TYPES, type -> type))
                .map(ActivityReader::activity)
                .all()
                .collectList();
    }

    private static RoomActivity activity(Readable row) {
        var room = RequiredColumn.of(row, "room_id", RoomId.class);
        var membership = RequiredColumn.of(row, "membership", String.class);
        if (!membership.equals(Membership.JOIN.word)) {
            long memberMs = RequiredColumn.of(row, "member_ms", Long.class);
            var sender = RequiredColumn.of(row, "sender", UserId.class);
            var inviter = membership.equals(Membership.INVITE.word) ? sender : null;
            return new RoomActivity(room, memberMs, memberMs, null, false, inviter);
        }
        var created = StoredEvent.of(
                RequiredColumn.of(row, "create_pos", Long.class), RequiredColumn.of(row, "create_body", String.class));
        var type = created.content().path("type");
        return new RoomActivity(
                room,
                RequiredColumn.of(row, "last_ms", Long.class),
                RequiredColumn.of(row, "bump_ms", Long.class),
                type.isString() ? type.stringValue() : null,
                RequiredColumn.of(row, "encrypted", Boolean.class),
                null);
    }
}
