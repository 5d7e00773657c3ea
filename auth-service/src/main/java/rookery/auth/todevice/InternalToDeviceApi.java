// SPDX-License-Identifier: Apache-2.0
package rookery.auth.todevice;

import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.auth.todevice.ToDeviceEntries.Acknowledgement;
import rookery.auth.todevice.ToDeviceEntries.WaitingMessages;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.AnswerBudget;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.json.JsonText;

/**
 * Waiting to-device messages for sync-service, and acknowledgements. A device acknowledges all messages up to the {@code
 * since} of its next sync. Acknowledgements may be late, repeated and out of order; messages after the position are never
 * deleted. Internal.
 */
@RestController
class InternalToDeviceApi {
    private static final int LIMIT_MAX = 100;
    private static final int TEXT_AND_BYTES = 2;

    private final ToDeviceEntries entries;

    InternalToDeviceApi(ToDeviceEntries entries) {
        this.entries = entries;
    }

    /**
     * The oldest messages after a position of the user's shard, at most 100, with the end of the shard in the same snapshot.
     *
     * @param bytes the size after which the page ends, with at least one message; not sent by older releases of sync-service,
     *     which take a page of fewer than 100 messages for the last one
     */
    @Callers(ServiceName.SYNC)
    @GetMapping("/internal/users/{userId}/devices/{deviceId}/to-device")
    Mono<WaitingAnswer> waiting(
            @PathVariable UserId userId,
            @PathVariable DeviceId deviceId,
            @RequestParam int tenant,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "100") int limit,
            @RequestParam(defaultValue = "" + Integer.MAX_VALUE) long bytes) {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "limit is 1 to " + LIMIT_MAX);
        }
        return entries.after(new TenantDevice(new TenantId(tenant), userId, deviceId), after, limit, bytes)
                .delayUntil(InternalToDeviceApi::reserved)
                .map(WaitingAnswer::of);
    }

    private static Mono<Void> reserved(WaitingMessages waiting) {
        long chars = waiting.messages().stream()
                .mapToLong(message -> message.sent().contentJson().length())
                .sum();
        return AnswerBudget.reserve(TEXT_AND_BYTES * chars);
    }

    /** Deletes acknowledged messages. Ignores acknowledgements of another epoch than the log's: positions differ by epoch. */
    @Callers(ServiceName.SYNC)
    @PostMapping("/internal/to-device/acknowledge")
    Mono<Map<String, Object>> acknowledge(@RequestBody AcknowledgeRequest all) {
        return entries.acknowledge(all.devices.stream()
                        .map(DevicePosition::acknowledgement)
                        .toList())
                .thenReturn(Map.of());
    }

    record AcknowledgeRequest(List<DevicePosition> devices) {}

    /** The device has received all messages up to {@code pos}. */
    record DevicePosition(TenantId tenant, UserId user, DeviceId device, long epoch, long pos) {
        Acknowledgement acknowledgement() {
            return new Acknowledgement(new TenantDevice(tenant, user, device), epoch, pos);
        }
    }

    record WaitingAnswer(long epoch, long pos, int shard, List<Message> messages, boolean cut) {
        static WaitingAnswer of(WaitingMessages waiting) {
            var head = waiting.head();
            return new WaitingAnswer(
                    head.epoch(),
                    head.pos(),
                    head.shard(),
                    waiting.messages().stream().map(Message::of).toList(),
                    waiting.cut());
        }
    }

    record Message(long pos, String type, UserId sender, JsonText content) {
        static Message of(ToDeviceEntries.WaitingMessage message) {
            var sent = message.sent();
            return new Message(message.pos(), sent.type(), sent.sender(), new JsonText(sent.contentJson()));
        }
    }
}
