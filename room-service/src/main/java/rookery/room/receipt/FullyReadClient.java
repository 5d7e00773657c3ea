// SPDX-License-Identifier: Apache-2.0
package rookery.room.receipt;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Reads and writes the marker at auth-service, the owner of account data. */
@Component
class FullyReadClient {
    private final ServiceClient services;

    FullyReadClient(ServiceClient services) {
        this.services = services;
    }

    /** The marker and its version as stored; null and 0 without a marker. */
    record StoredMarker(@Nullable EventId event, long pos) {}

    Mono<StoredMarker> find(TenantRoom room, UserId user) {
        String path = path(user) + "/" + AccountDataTypes.FULLY_READ + "?tenant="
                + room.tenant().value() + "&room=" + encoded(room.room().value());
        return services.get("auth-service", user.value(), path, MarkerAnswer.class)
                .map(MarkerAnswer::stored);
    }

    /** 409 if the stored version is no longer {@code readAt}. */
    Mono<Void> set(TenantRoom room, UserId user, EventId event, long readAt) {
        var request = new MarkerRequest(
                room.tenant(), AccountDataTypes.FULLY_READ, room.room(), Map.of("event_id", event.value()), readAt);
        return services.post("auth-service", user.value(), path(user), request, JsonNode.class)
                .then();
    }

    private static String path(UserId user) {
        return "/internal/users/" + encoded(user.value()) + "/account-data";
    }

    private static String encoded(String text) {
        return UriUtils.encode(text, StandardCharsets.UTF_8);
    }

    record MarkerAnswer(@Nullable JsonNode content, long pos) {
        StoredMarker stored() {
            var event = content == null ? null : content.path("event_id").asString("");
            return new StoredMarker(event == null ? null : EventId.parse(event), pos);
        }
    }

    record MarkerRequest(
            TenantId tenant,
            String type,
            RoomId room,
            Map<String, String> content,
            @JsonProperty("read_at") long readAt) {}
}
