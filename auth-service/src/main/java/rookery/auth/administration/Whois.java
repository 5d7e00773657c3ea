// SPDX-License-Identifier: Apache-2.0
package rookery.auth.administration;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.device.Device;
import rookery.auth.device.DeviceConnections;
import rookery.auth.device.DeviceConnections.Sighting;
import rookery.auth.device.Devices;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The devices of a user with the addresses of their connections. */
@Component
class Whois {
    private final Accounts accounts;
    private final Devices devices;
    private final DeviceConnections connections;

    Whois(Accounts accounts, Devices devices, DeviceConnections connections) {
        this.accounts = accounts;
        this.devices = devices;
        this.connections = connections;
    }

    Mono<WhoisAnswer> of(TenantId tenant, UserId user) {
        return accounts.exists(tenant, user)
                .filter(exists -> exists)
                .switchIfEmpty(Mono.error(Account::unknown))
                .then(Mono.defer(() -> Mono.zip(
                        devices.of(tenant, user),
                        connections.of(tenant, user),
                        (all, seen) -> answer(user, all, seen))));
    }

    private static WhoisAnswer answer(UserId user, List<Device> devices, Map<DeviceId, List<Sighting>> connections) {
        var shown = new LinkedHashMap<String, ShownDevice>();
        for (var device : devices) {
            shown.put(device.id().value(), ShownDevice.of(device, connections.getOrDefault(device.id(), List.of())));
        }
        return new WhoisAnswer(user, shown);
    }

    /** The answer of contract.md 5.2. */
    record WhoisAnswer(@JsonProperty("user_id") UserId user, Map<String, ShownDevice> devices) {}

    record ShownDevice(
            @JsonProperty("device_id") DeviceId id,
            @JsonProperty("display_name") String name,
            @JsonProperty("last_seen_ts") @Nullable Long lastSeenMillis,
            @JsonProperty("last_seen_ip") @Nullable String lastIp,
            List<ShownSession> sessions) {
        static ShownDevice of(Device device, List<Sighting> seen) {
            var last = device.lastSeen();
            return new ShownDevice(
                    device.id(),
                    device.name(),
                    last == null ? null : last.toEpochMilli(),
                    device.lastIp(),
                    List.of(new ShownSession(
                            seen.stream().map(ShownConnection::of).toList())));
        }
    }

    record ShownSession(List<ShownConnection> connections) {}

    record ShownConnection(
            String ip,
            @JsonProperty("last_seen") long lastSeenMillis,
            @JsonProperty("user_agent") String userAgent) {
        static ShownConnection of(Sighting seen) {
            return new ShownConnection(
                    seen.from().ip(), seen.at().toEpochMilli(), seen.from().userAgent());
        }
    }
}
