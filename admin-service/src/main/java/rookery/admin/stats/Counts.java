package rookery.admin.stats;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What all owners together count of one tenant.
 *
 * @param at when the counts were taken, in ms since the epoch
 */
record Counts(OfAccounts accounts, OfRooms rooms, OfDirectory directory, OfPush push, long at) {
    /** What auth-service counts. */
    record OfAccounts(Users users, Devices devices) {}

    /** What room-service counts. */
    record OfRooms(Rooms rooms, Events events, Media media) {}

    /** What directory-service counts. */
    record OfDirectory(long published) {}

    /** What push-service counts. */
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

    /** How many files there are, and of how many bytes in sum: equal ones count each. */
    record Media(long files, long bytes) {}

    record Events(long total, @JsonProperty("last_24h") long last24h) {}
}
