// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.room.timeline.MessagePages;
import rookery.room.timeline.MessagePages.Messages;

/** The history of a room as an administrator may read it. Internal: admin-service has already checked who calls. */
@RestController
class RoomMessagesApi {
    private final MessagePages pages;

    RoomMessagesApi(MessagePages pages) {
        this.pages = pages;
    }

    /**
     * The newest events first, in the shape of {@code GET /rooms/{roomId}/messages?dir=b} (contract.md 11.1), by the ordinary
     * rules of visibility (9.8). M_FORBIDDEN for a room that the administrator may not read, and for an unknown room;
     * M_INVALID_PARAM for a limit below 1 and for a malformed {@code from}.
     */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/messages")
    Mono<Messages> messages(@RequestBody MessagesRequest request) {
        var caller = new Administrator(request.tenant, request.by).caller();
        return pages.newest(caller, request.room, request.from, request.limit);
    }

    /**
     * @param by the administrator
     * @param from the {@code end} of the page before; null for the newest events
     * @param limit at most 100; null for 50
     */
    record MessagesRequest(
            TenantId tenant,
            RoomId room,
            UserId by,
            @Nullable String from,
            @Nullable Integer limit) {}
}
