// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.node.ObjectNode;

/** Client of room-service for members, their power and the state of rooms, rooms of users, and what became of purged rooms. */
@Component
class RoomInspectionClient {
    private static final String ROOM = ServiceName.ROOM.title();
    private static final String PATH = "/internal/admin/rooms/";

    private final ServiceClient services;

    RoomInspectionClient(ServiceClient services) {
        this.services = services;
    }

    /** The ids of the joined users, as lines ({@code ListLines}); M_NOT_FOUND. */
    Flux<String> members(TenantId tenant, RoomId room, UserId by) {
        return services.lines(ROOM, room.value(), PATH + "members", new Inspection(tenant, room, by));
    }

    /** The current state, as lines ({@code ListLines}); M_NOT_FOUND. */
    Flux<String> state(TenantId tenant, RoomId room, UserId by) {
        return services.lines(ROOM, room.value(), PATH + "state", new Inspection(tenant, room, by));
    }

    /** {@code by}, and whether all rows are deleted as {@code done}; M_NOT_FOUND for a room that was not purged. */
    Mono<ObjectNode> purged(TenantId tenant, RoomId room) {
        return services.post(ROOM, room.value(), PATH + "purged", new PurgeQuestion(tenant, room), ObjectNode.class);
    }

    /** M_NOT_FOUND for an unknown room; M_FORBIDDEN for a user who is not a member. */
    Mono<ObjectNode> promote(TenantId tenant, RoomId room, UserId by, UserId user) {
        return services.post(
                ROOM, room.value(), PATH + "promote", new Promotion(tenant, room, by, user), ObjectNode.class);
    }

    /** {@code joined_rooms}; empty for an unknown user. */
    Mono<ObjectNode> roomsOf(TenantId tenant, UserId user) {
        return services.post(
                ROOM, user.value(), "/internal/admin/users/rooms", new UserQuestion(tenant, user), ObjectNode.class);
    }

    private record Inspection(TenantId tenant, RoomId room, UserId by) {}

    private record Promotion(TenantId tenant, RoomId room, UserId by, UserId user) {}

    private record PurgeQuestion(TenantId tenant, RoomId room) {}

    private record UserQuestion(TenantId tenant, UserId user) {}
}
