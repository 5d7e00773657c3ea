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

/** Asks auth-service what waits for a device and how many keys it has left, and says which messages devices have. */
@Component
public class DevicesClient {
    private final ServiceClient services;

    DevicesClient(ServiceClient services) {
        this.services = services;
    }

    /** The oldest messages to the device after a position of the user's shard, at most so many, up to the one that fills the bytes. */
    public Mono<WaitingMessages> waiting(TenantUser user, DeviceId device, long after, int limit, int bytes) {
        String query = "&after=" + after + "&limit=" + limit + "&bytes=" + bytes;
        return get(user, device, "to-device", query, WaitingMessages.class);
    }

    public Mono<KeyCountsAnswer> keyCounts(TenantUser user, DeviceId device) {
        return get(user, device, "key-counts", "", KeyCountsAnswer.class);
    }

    /** What lies at or before these positions is deleted, or will be when it is said again. */
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

    /**
     * Messages to a device.
     *
     * @param pos where the user's shard ended just then
     * @param cut whether more messages wait than these, which an answer holds; absent from a release that only counts messages
     */
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

    /** Counts as of a position of the user's shard, and the last change of the keys of each user who concerns this one. */
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

        /** Whose keys have changed for the user, and when last; none from a release of auth-service that does not tell. */
        public List<KeyChange> changes() {
            return keyChanges == null ? List.of() : keyChanges;
        }
    }

    /** Somebody's keys look otherwise to the user since a position of the user's shard. */
    public record KeyChange(UserId user, long pos) {}

    /** A device has all messages up to {@code pos}. */
    record Acknowledgement(TenantId tenant, UserId user, DeviceId device, long epoch, long pos) {}
}
