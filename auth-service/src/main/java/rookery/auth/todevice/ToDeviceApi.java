// SPDX-License-Identifier: Apache-2.0
package rookery.auth.todevice;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.auth.text.WholeText;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TransactionId;
import rookery.platform.http.JsonBody;

/**
 * To-device messages (contract.md 13.5). Errors: M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM for too many messages, M_TOO_LARGE,
 * M_USER_SUSPENDED for messages of a suspended user to others.
 */
@RestController
class ToDeviceApi {
    private static final int TYPE_BYTES_MAX = 255;

    private final ToDeviceSender sender;

    ToDeviceApi(ToDeviceSender sender) {
        this.sender = sender;
    }

    @PutMapping("/_api/client/v3/sendToDevice/{eventType}/{txnId}")
    Mono<Map<String, Object>> send(
            Caller caller, @PathVariable String eventType, @PathVariable TransactionId txnId, JsonBody body) {
        if (WholeText.of(eventType, "the type").getBytes(StandardCharsets.UTF_8).length > TYPE_BYTES_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a type has at most " + TYPE_BYTES_MAX + " bytes");
        }
        var messages = MessageSet.of(body);
        if (caller.isSuspended()
                && !Set.of(caller.user()).containsAll(messages.byUser().keySet())) {
            throw ApiException.suspended(); // a suspended user may verify own devices, but not send to others
        }
        return sender.send(TenantDevice.of(caller), eventType, txnId, messages).thenReturn(Map.of());
    }
}
