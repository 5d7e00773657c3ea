// SPDX-License-Identifier: Apache-2.0
package rookery.admin.stats;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The counts of one tenant from all owning services; {@code at} is the time of counting, in ms since the epoch. */
public record Counts(OfAccounts accounts, OfRooms rooms, OfDirectory directory, OfPush push, long at) {
    /** Counts of auth-service. */
    record OfAccounts(Users users, Devices devices) {}

    /** Counts of room-service. */
    record OfRooms(Rooms rooms, Events events, Media media) {}

    /** Counts of directory-service. */
    record OfDirectory(long published) {}

    /** Counts of push-service. */
    record OfPush(long pushers) {}

    record Users(
            long total,
            long active,
            long deactivated,
            long blocked,
            @JsonProperty("active_24h") long active24h,
            @JsonProperty("active_30d") long active30d) {}

    record Devices(long total) {}

    record Rooms(long total, long encrypted) {}

    /** Number of files and the sum of their bytes; files with equal content count separately. */
    record Media(long files, long bytes) {}

    record Events(long total, @JsonProperty("last_24h") long last24h) {}
}
