// SPDX-License-Identifier: Apache-2.0
package rookery.auth.deactivation;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.deactivation.Departures.Departure;
import rookery.auth.profile.ProfileEditor;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Makes room-service leave the rooms of deactivated users, and sync-service delete their filters, with retries. */
@Component
class DepartureWorker {
    private static final Logger log = LoggerFactory.getLogger(DepartureWorker.class);
    private static final List<String> KEEPERS = List.of("room-service", "sync-service");
    private static final String PATH = "/internal/users/depart";

    private static final int AT_ONCE = 4;
    /** Longer than the timeout of a call. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final int DOUBLINGS_MAX = 6;

    private final Departures departures;
    private final ProfileEditor profiles;
    private final UserHistory history;
    private final ServiceClient services;

    DepartureWorker(Departures departures, ProfileEditor profiles, UserHistory history, ServiceClient services) {
        this.departures = departures;
        this.profiles = profiles;
        this.history = history;
        this.services = services;
    }

    @Scheduled(fixedDelayString = "${rookery.auth.departure-interval}")
    Mono<Void> work() {
        return Mono.defer(() -> departures.take(AT_ONCE, LEASE))
                .flatMapMany(Flux::fromIterable)
                .flatMap(this::departed)
                .then();
    }

    private Mono<Void> departed(Departure departure) {
        var request = new DepartRequest(departure.tenant(), departure.user(), departure.erase());
        var erasure = departure.erase() ? erased(departure) : Mono.<Void>empty();
        var calls = Flux.fromIterable(KEEPERS)
                .concatMap(service -> services.post(service, departure.user().value(), PATH, request, JsonNode.class));
        return erasure.thenMany(calls)
                .then(Mono.defer(() -> departures.done(departure)))
                .onErrorResume(failure -> postponed(departure, failure));
    }

    private Mono<Void> erased(Departure departure) {
        return profiles.erase(departure.tenant(), departure.user())
                .then(Mono.defer(() -> history.erase(departure.tenant(), departure.user())));
    }

    /** The delay starts at one second and doubles up to about a minute. */
    private Mono<Void> postponed(Departure departure, Throwable failure) {
        log.atWarn()
                .addKeyValue("user", departure.user().value())
                .addKeyValue("attempts", departure.attempts())
                .addKeyValue("cause", failure.toString())
                .log("a deactivated user's data could not be deleted everywhere, will retry");
        return departures.postpone(
                departure, Duration.ofSeconds(1L << Math.min(departure.attempts() - 1, DOUBLINGS_MAX)));
    }

    record DepartRequest(TenantId tenant, UserId user, boolean erase) {}
}
