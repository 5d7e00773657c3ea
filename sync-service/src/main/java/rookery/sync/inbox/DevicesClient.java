// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.sync.inbox.DeviceStates.KeyCounts;
import tools.jackson.databind.JsonNode;

/** Reads a device's waiting messages and key counts from auth-service, and acknowledges messages. */
@Component
public class DevicesClient {
    private final ServiceClient services;

    DevicesClient(ServiceClient services) {
        this.services = services;
    }

    /** The oldest messages after a position of the user's shard, up to the limit or the message that fills the bytes. */
    public Mono<WaitingMessages> waiting(TenantUser user, DeviceId device, long after, int limit, int bytes) {
        String query = "&after=" + after + "&limit=" + limit + "&bytes=" + bytes;
        return get(user, device, "to-device", query, WaitingMessages.class);
    }

    public Mono<KeyCountsAnswer> keyCounts(TenantUser user, DeviceId device) {
        return get(user, device, "key-counts", "", KeyCountsAnswer.class);
    }

    /** Deletes the messages up to these positions. Repeating is harmless. */
    Mono<Void> acknowledge(Collection<Acknowledgement> devices) {
        var path = "/internal/to-device/acknowledge";
        return services.post("auth-service", path, path, Map.of("devices", devices), JsonNode.class)
                .then();
    }

    private <T> Mono<T> get(TenantUser user, DeviceId device, String what, String query, Class<T> answer) {
        String id = user.user().value();
        String path = "/internal/users/" + encoded(id) + "/devices/" + encoded(device.value()) + "/" + what + "?tenant="
                + user.tenant().value() + query;
        return services.get("auth-service", id, path, answer);
    }

    private static String encoded(String text) {
        return UriUtils.encode(text, StandardCharsets.UTF_8);
    }

    /** Waiting messages as of {@code pos}; {@code cut} if more are waiting, absent in an older auth-service. */
    public record WaitingMessages(
            long epoch,
            long pos,
            int shard,
            List<Message> messages,
            @Nullable Boolean cut) {
        public boolean isCut() {
            return Boolean.TRUE.equals(cut);
        }
    }

    public record Message(long pos, String type, UserId sender, JsonNode content) {}

    /** Key counts as of a position of the user's shard, and the last key change of each user known to the user. */
    public record KeyCountsAnswer(
            long epoch,
            long pos,
            int shard,
            @JsonProperty("one_time_keys") Map<String, Long> oneTimeKeys,
            @JsonProperty("unused_fallback") List<String> unusedFallback,
            @JsonProperty("key_changes") @Nullable List<KeyChange> keyChanges) {
        public KeyCounts counts() {
            return new KeyCounts(oneTimeKeys, unusedFallback);
        }

        /** The last key change by user; empty in the answer of an older auth-service. */
        public List<KeyChange> changes() {
            return keyChanges == null ? List.of() : keyChanges;
        }
    }

    /** The last key change of a user, as a position in the reader's shard of the user log. */
    public record KeyChange(UserId user, long pos) {}

    /** The device has received all messages up to {@code pos}. */
    record Acknowledgement(TenantId tenant, UserId user, DeviceId device, long epoch, long pos) {}
}
