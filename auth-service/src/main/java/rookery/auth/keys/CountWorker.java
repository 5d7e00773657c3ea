// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.List;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.device.Devices;
import rookery.auth.device.TenantDevice;
import rookery.auth.userlog.UserLog;
import rookery.platform.log.append.Outcome.Accepted;

/**
 * Appends key counts to the user logs after claims by others. A claim takes keys of hundreds of users in one statement and
 * inserts only a note for each device. The counts follow a moment later, once for many claims, and also after a crash in between.
 */
@Component
class CountWorker {
    private static final int AT_ONCE = 500;
    private static final int BESIDE_EACH_OTHER = 8;

    private final UserLog userLog;
    private final Devices devices;
    private final KeyCounts counts;

    CountWorker(UserLog userLog, Devices devices, KeyCounts counts) {
        this.userLog = userLog;
        this.devices = devices;
        this.counts = counts;
    }

    @Scheduled(fixedDelayString = "${rookery.auth.key-count-interval}")
    Mono<Void> work() {
        return Mono.defer(() -> counts.due(AT_ONCE))
                .flatMapMany(Flux::fromIterable)
                .flatMap(
                        device -> userLog.append(device.tenant(), device.user(), _ -> counted(device)),
                        BESIDE_EACH_OTHER)
                .doOnError(_ -> counts.noteClaim())
                .onErrorResume(_ -> Mono.empty()) // the database is down; other checks report that
                .then();
    }

    /** Deletes the notes before counting: a later claim inserts another note. A deleted device gets no entry. */
    private Mono<Accepted<Boolean>> counted(TenantDevice device) {
        return counts.done(device)
                .filter(wasDue -> wasDue)
                .flatMap(_ -> devices.ids(device.tenant(), device.user()))
                .filter(ids -> ids.contains(device.device()))
                .flatMap(_ -> counts.of(device))
                .map(counted -> List.of(UserLog.entry(device.tenant(), device.user(), counted.counts())))
                .defaultIfEmpty(List.of())
                .map(entries -> new Accepted<>(entries, true));
    }
}
