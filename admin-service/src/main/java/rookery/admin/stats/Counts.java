// SPDX-License-Identifier: Apache-2.0
package rookery.admin.stats;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The counts of one tenant from all owning services; {@code at} is the time of counting, in ms since the epoch. */
public record Counts(OfAccounts accounts, OfRooms rooms, OfDirectory directory, OfPush push, long at) {
    /** Counts of auth-service. */
    public record OfAccounts(Users users, Devices devices) {}

    /** Counts of room-service. */
    public record OfRooms(Rooms rooms, Events events, Media media) {}

    /** Counts of directory-service. */
    public record OfDirectory(long published) {}

    /** Counts of push-service. */
    public record OfPush(long pushers) {}

    public record Users(
            long total,
            long active,
            long deactivated,
            long blocked,
            @JsonProperty("active_24h") long active24h,
            @JsonProperty("active_30d") long active30d) {}

    public record Devices(long total) {}

    public record Rooms(long total, long encrypted) {}

    /** Number of files and the sum of their bytes; files with equal content count separately. */
    public record Media(long files, long bytes) {}

    public record Events(
            long total, @JsonProperty("last_24h") long last24h) {}
}
