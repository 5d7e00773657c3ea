// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantUser;
import rookery.sync.inbox.DevicesClient.Acknowledgement;

/**
 * Sends acknowledged positions of devices to auth-service in batches. Positions lost with this node are sent again with each
 * device's next request.
 */
@Component
public class ToDeviceAcknowledger {
    private static final Logger log = LoggerFactory.getLogger(ToDeviceAcknowledger.class);
    private static final int AT_ONCE_MAX = 500;

    private final DevicesClient client;
    private final ConcurrentHashMap<DeviceKey, Acknowledgement> due = new ConcurrentHashMap<>();

    private record DeviceKey(TenantUser user, DeviceId device) {}

    ToDeviceAcknowledger(DevicesClient client) {
        this.client = client;
    }

    /** The device has received all messages up to a position of the user's shard. */
    public void add(TenantUser user, DeviceId device, long epoch, long pos) {
        add(new Acknowledgement(user.tenant(), user.user(), device, epoch, pos));
    }

    private void add(Acknowledgement newer) {
        var key = new DeviceKey(new TenantUser(newer.tenant(), newer.user()), newer.device());
        due.merge(key, newer, (one, other) -> isAfter(one, other) ? one : other);
    }

    private static boolean isAfter(Acknowledgement one, Acknowledgement other) {
        return one.epoch() > other.epoch() || (one.epoch() == other.epoch() && one.pos() > other.pos());
    }

    @Scheduled(fixedDelayString = "${rookery.sync.acknowledging-interval:1s}")
    Mono<Void> work() {
        return Mono.defer(this::portion);
    }

    /** Sends batches until none is left; a failed batch waits for the next run. */
    private Mono<Void> portion() {
        var taken = taken();
        return taken.isEmpty()
                ? Mono.empty()
                : client.acknowledge(taken)
                        .then(Mono.defer(this::portion))
                        .onErrorResume(failure -> failed(taken, failure));
    }

    private List<Acknowledgement> taken() {
        var taken = new ArrayList<Acknowledgement>();
        for (var key : due.keySet()) {
            if (taken.size() == AT_ONCE_MAX) {
                break;
            }
            var acknowledgement = due.remove(key);
            if (acknowledgement != null) {
                taken.add(acknowledgement);
            }
        }
        return taken;
    }

    private Mono<Void> failed(List<Acknowledgement> taken, Throwable failure) {
        taken.forEach(this::add);
        log.atWarn()
                .addKeyValue("devices", taken.size())
                .addKeyValue("cause", failure.getMessage())
                .log("acknowledging messages to devices failed, trying again");
        return Mono.empty();
    }
}
