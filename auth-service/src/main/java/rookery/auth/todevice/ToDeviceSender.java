// SPDX-License-Identifier: Apache-2.0
package rookery.auth.todevice;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.acquaintance.Acquaintances;
import rookery.auth.device.Devices;
import rookery.auth.device.TenantDevice;
import rookery.auth.todevice.MessageSet.AddressedMessage;
import rookery.auth.userlog.UserLog;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TransactionId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.ToDeviceSent;
import rookery.platform.log.append.Outcome.Accepted;

/**
 * Sends to-device messages. Recipients are on different shards, so each recipient is a transaction of its own, which records that
 * the request has reached the recipient: a retry sends no message twice.
 */
@Component
class ToDeviceSender {
    private static final int BESIDE_EACH_OTHER = 16;
    /** The limit for the messages to one user, because the same content goes to each of the user's devices. */
    private static final int BYTES_MAX = 8 << 20;

    private final Acquaintances acquaintances;
    private final UserLog userLog;
    private final Devices devices;
    private final ToDeviceEntries entries;
    private final ToDeviceTransactions transactions;
    private final ToDeviceProperties properties;

    ToDeviceSender(
            Acquaintances acquaintances,
            UserLog userLog,
            Devices devices,
            ToDeviceEntries entries,
            ToDeviceTransactions transactions,
            ToDeviceProperties properties) {
        this.acquaintances = acquaintances;
        this.userLog = userLog;
        this.devices = devices;
        this.entries = entries;
        this.transactions = transactions;
        this.properties = properties;
    }

    /**
     * Sends each message once, also if the request is repeated. Skips unknown users and devices, and users without a common room
     * or invitation with the sender. M_TOO_LARGE, 503.
     */
    Mono<Void> send(TenantDevice from, String type, TransactionId txnId, MessageSet messages) {
        byte[] request = request(from, type, txnId);
        return transactions
                .isDone(from.tenant(), request)
                .filter(isDone -> !isDone)
                .flatMap(_ ->
                        devices.withDevices(from.tenant(), messages.byUser().keySet()))
                .flatMapMany(users -> acquaintances.among(from.tenant(), from.user(), users))
                .flatMapIterable(users -> users)
                .flatMap(
                        user -> userLog.append(from.tenant(), user, _ -> sent(from, user, type, request, messages)),
                        BESIDE_EACH_OTHER)
                .then(Mono.defer(() -> transactions.done(from.tenant(), request)));
    }

    /** A digest that is unique for each request: every part is preceded by its length. */
    private static byte[] request(TenantDevice from, String type, TransactionId txnId) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var part : List.of(from.user().value(), from.device().value(), type, txnId.value())) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
                digest.update(bytes);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Mono<Accepted<Boolean>> sent(
            TenantDevice from, UserId recipient, String type, byte[] request, MessageSet messages) {
        return devices.ids(from.tenant(), recipient)
                .map(ids -> messages.addressed(recipient, ids))
                .doOnNext(ToDeviceSender::requireSize)
                .filter(all -> !all.isEmpty())
                .filterWhen(_ -> transactions.reach(from.tenant(), recipient, request))
                .flatMap(all -> written(from, recipient, type, all))
                .defaultIfEmpty(new Accepted<>(List.of(), false));
    }

    private static void requireSize(List<AddressedMessage> all) {
        if (all.stream().mapToLong(message -> message.content().length()).sum() > BYTES_MAX) {
            throw new ApiException(
                    ErrorCode.M_TOO_LARGE, "the messages to one user have at most " + BYTES_MAX + " characters");
        }
    }

    private Mono<Accepted<Boolean>> written(
            TenantDevice from, UserId recipient, String type, List<AddressedMessage> all) {
        var sent = all.stream()
                .map(message -> new ToDeviceSent(message.device(), type, from.user(), message.content()))
                .map(message -> UserLog.entry(from.tenant(), recipient, message))
                .toList();
        return entries.trim(from.tenant(), recipient, from.user(), all, properties.waiting())
                .thenReturn(new Accepted<>(sent, true));
    }
}
