// SPDX-License-Identifier: Apache-2.0
package rookery.admin.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.admin.AdminApplication;
import rookery.model.caller.Caller;
import rookery.model.id.ServerName;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The statistics of the tenant of the requested host, public (contract.md 4). */
@RestController
class StatsApi {
    /** Set only when the service runs from a jar. */
    private static final String VERSION =
            Objects.requireNonNullElse(AdminApplication.class.getPackage().getImplementationVersion(), "0.0.0");

    private final StatsCollector counting;
    private final Clock clock;
    private final Instant started;

    StatsApi(StatsCollector counting, Clock clock) {
        this.counting = counting;
        this.clock = clock;
        this.started = clock.instant();
    }

    /**
     * Numbers may be as old as {@code rookery.admin.stats.max-age}; {@code generated_at} is their time. 503 while an owning
     * service is unavailable.
     */
    @GetMapping("/_api/client/stats")
    @Access(Level.NONE)
    Mono<Stats> stats(Caller caller) {
        return counting.of(caller.tenant()).map(counts -> stats(caller.server(), counts));
    }

    private Stats stats(ServerName server, Counts counts) {
        var rooms = counts.rooms();
        return new Stats(
                server,
                VERSION,
                Duration.between(started, clock.instant()).toSeconds(),
                counts.accounts().users(),
                new Rooms(
                        rooms.rooms().total(),
                        counts.directory().published(),
                        rooms.rooms().encrypted()),
                rooms.events(),
                counts.accounts().devices(),
                new Pushers(counts.push().pushers()),
                rooms.media(),
                counts.at());
    }

    record Stats(
            @JsonProperty("server_name") ServerName serverName,
            String version,
            @JsonProperty("uptime_seconds") long uptimeSeconds,
            Counts.Users users,
            Rooms rooms,
            Counts.Events events,
            Counts.Devices devices,
            Pushers pushers,
            Counts.Media media,
            @JsonProperty("generated_at") long generatedAt) {}

    record Rooms(long total, long published, long encrypted) {}

    record Pushers(long total) {}
}
