// SPDX-License-Identifier: Apache-2.0
package rookery.admin.room;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListQuery;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Client of room-service for members, state and messages of rooms, rooms of users, and purges. */
@Component
public class RoomInspectionClient {
    private static final String ROOM = ServiceName.ROOM.title();
    private static final String PATH = "/internal/admin/rooms/";

    private final ServiceClient services;

    RoomInspectionClient(ServiceClient services) {
        this.services = services;
    }

    /** The ids of the joined users, as lines ({@code ListLines}); M_NOT_FOUND. */
    public Flux<String> members(TenantId tenant, RoomId room, UserId by) {
        return services.lines(ROOM, room.value(), PATH + "members", new Inspection(tenant, room, by));
    }

    /** The current state, as lines ({@code ListLines}); M_NOT_FOUND. */
    public Flux<String> state(TenantId tenant, RoomId room, UserId by) {
        return services.lines(ROOM, room.value(), PATH + "state", new Inspection(tenant, room, by));
    }

    /** A page of the members with their power, as lines ({@code ListLines}); M_NOT_FOUND. */
    Flux<String> memberList(TenantId tenant, RoomId room, MemberQuery query) {
        var question =
                new MemberQuestion(tenant, room, query.by, query.membership, query.page.from(), query.page.limit());
        return services.lines(ROOM, room.value(), PATH + "member-list", question);
    }

    /** A page of members; a null membership selects all members. */
    record MemberQuery(UserId by, @Nullable String membership, ListQuery page) {}

    /**
     * The newest messages, as {@code by} may read them as a client; M_NOT_FOUND, M_FORBIDDEN.
     *
     * @param from the {@code end} of the page before, or null
     */
    Mono<JsonNode> messages(TenantId tenant, RoomId room, UserId by, @Nullable String from, int limit) {
        return services.post(
                ROOM,
                room.value(),
                PATH + "messages",
                new MessageQuestion(tenant, room, by, from, limit),
                JsonNode.class);
    }

    /** The purges of the tenant, the newest first, as lines ({@code ListLines}). */
    public Flux<String> purges(TenantId tenant, ListQuery page) {
        return services.lines(
                ROOM, "purges", "/internal/admin/purges", new PurgeListQuestion(tenant, page.from(), page.limit()));
    }

    /** Redacts the newest messages of a user, in the background: {@code redact_id}. M_INVALID_PARAM. */
    Mono<ObjectNode> redact(TenantId tenant, UserId user, UserId by, RedactionTerms terms) {
        return services.post(
                ROOM,
                user.value(),
                "/internal/admin/users/redact",
                new UserRedaction(tenant, user, by, terms.rooms, terms.reason, terms.limit),
                ObjectNode.class);
    }

    /**
     * The selection of a user's messages for a redaction.
     *
     * @param rooms null for all rooms
     * @param limit the most messages in each room; null for the usual number
     */
    public record RedactionTerms(
            @Nullable List<RoomId> rooms,
            @Nullable String reason,
            @Nullable Long limit) {}

    /** {@code status} and {@code failed_redactions}; M_NOT_FOUND. */
    Mono<ObjectNode> redactions(TenantId tenant, String id) {
        return services.post(
                ROOM, id, "/internal/admin/users/redactions", new RedactionQuestion(tenant, id), ObjectNode.class);
    }

    /** {@code by}, and whether all rows are deleted as {@code done}; M_NOT_FOUND for a room that was not purged. */
    public Mono<ObjectNode> purged(TenantId tenant, RoomId room) {
        return services.post(ROOM, room.value(), PATH + "purged", new PurgeQuestion(tenant, room), ObjectNode.class);
    }

    /** M_NOT_FOUND for an unknown room; M_FORBIDDEN for a user who is not a member. */
    public Mono<ObjectNode> promote(TenantId tenant, RoomId room, UserId by, UserId user) {
        return services.post(
                ROOM, room.value(), PATH + "promote", new Promotion(tenant, room, by, user), ObjectNode.class);
    }

    /** {@code joined_rooms}; empty for an unknown user. */
    public Mono<ObjectNode> roomsOf(TenantId tenant, UserId user) {
        return services.post(
                ROOM, user.value(), "/internal/admin/users/rooms", new UserQuestion(tenant, user), ObjectNode.class);
    }

    private record Inspection(TenantId tenant, RoomId room, UserId by) {}

    private record Promotion(TenantId tenant, RoomId room, UserId by, UserId user) {}

    private record MemberQuestion(
            TenantId tenant,
            RoomId room,
            UserId by,
            @Nullable String membership,
            String after,
            @Nullable Integer limit) {}

    private record MessageQuestion(
            TenantId tenant,
            RoomId room,
            UserId by,
            @Nullable String from,
            int limit) {}

    private record PurgeListQuestion(
            TenantId tenant, String after, @Nullable Integer limit) {}

    private record UserRedaction(
            TenantId tenant,
            UserId user,
            UserId by,
            @Nullable List<RoomId> rooms,
            @Nullable String reason,
            @Nullable Long limit) {}

    private record RedactionQuestion(TenantId tenant, String id) {}

    private record PurgeQuestion(TenantId tenant, RoomId room) {}

    private record UserQuestion(TenantId tenant, UserId user) {}
}
