// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.room.timeline.MessagePages.Messages;
import rookery.room.timeline.MessagePages.MessagesQuery;
import rookery.room.timeline.PageReader.Direction;

/** Pages of a room's history (contract.md 11.1, D12 to D14). Errors: M_FORBIDDEN, M_INVALID_PARAM, M_NOT_JSON, M_BAD_JSON. */
@RestController
class MessagesApi {
    private final MessagePages pages;

    MessagesApi(MessagePages pages) {
        this.pages = pages;
    }

    @GetMapping("/_api/client/v3/rooms/{roomId}/messages")
    Mono<Messages> messages(
            Caller caller,
            @PathVariable RoomId roomId,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(defaultValue = "b") String dir,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(required = false) @Nullable String filter) {
        int most = MessagePages.limit(limit);
        var direction = direction(dir);
        var request = new MessagesQuery(from, to, direction, most, TimelineFilter.of(filter));
        return pages.page(caller, roomId, request);
    }

    /** M_INVALID_PARAM for anything but {@code b} and {@code f}. */
    static Direction direction(String dir) {
        return switch (dir) {
            case "b" -> Direction.BACKWARDS;
            case "f" -> Direction.FORWARDS;
            default -> throw new ApiException(ErrorCode.M_INVALID_PARAM, "dir is b or f");
        };
    }
}
