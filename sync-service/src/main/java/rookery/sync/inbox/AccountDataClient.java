// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.platform.http.ServiceClient;
import rookery.platform.json.JsonText;

/** Reads a user's account data from auth-service. */
@Component
class AccountDataClient {
    private final ServiceClient services;

    AccountDataClient(ServiceClient services) {
        this.services = services;
    }

    /** All account data, as of the position in the snapshot. */
    Mono<Snapshot> of(TenantUser user) {
        String id = user.user().value();
        String path = "/internal/users/" + UriUtils.encode(id, StandardCharsets.UTF_8) + "/account-data?tenant="
                + user.tenant().value() + "&after=0";
        return services.get("auth-service", id, path, Snapshot.class);
    }

    record Snapshot(long epoch, long pos, int shard, List<Event> events) {
        List<UserData.Item> items() {
            return events.stream()
                    .map(event -> new UserData.Item(event.room, event.type, event.content.text(), event.pos))
                    .toList();
        }
    }

    record Event(String type, @Nullable RoomId room, JsonText content, long pos) {}
}
