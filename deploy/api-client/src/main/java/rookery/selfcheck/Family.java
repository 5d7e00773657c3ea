// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The families of endpoints of the self-check, each with its prerequisite and the remedy of a failure. */
enum Family {
    HEALTH("see which check is not ok, and the log of the service that does it (see the map in README.md)"),
    ACCOUNTS("auth-service and its database; see the log of auth-service", HEALTH),
    SESSIONS("auth-service; Redis if a revoked token still works", ACCOUNTS),
    ROOMS("room-service and its database", ACCOUNTS),
    CONVERSATION("sync-service, and Kafka between it and room-service (log_behind_seconds)", ROOMS),
    HISTORY("room-service", CONVERSATION),
    RECEIPTS("room-service, and sync-service, which delivers receipts", CONVERSATION),
    TYPING("room-service, Kafka's topic ephemeral, sync-service", CONVERSATION),
    NOTIFICATIONS("push-service: does it follow the log (log_behind_seconds)?", CONVERSATION),
    DIRECTORIES("directory-service: does it follow the log (log_behind_seconds)?", ROOMS),
    ENCRYPTION("auth-service, which stores keys and to-device messages; sync-service, which delivers them", ROOMS),
    FILES("room-service, and its folder or bucket (rookery.room.media in room-service.yml)", ACCOUNTS),
    FILTERS("sync-service and its database", ACCOUNTS),
    PUSH_RULES("auth-service, which stores the rules; push-service, which serves them", ACCOUNTS),
    PUSHERS("push-service and its database", ACCOUNTS),
    ADDRESSES("auth-service; for mail see spring.mail.* (auth-service.yml)", ACCOUNTS),
    ADMINISTRATION("admin-service, and that the administrator is one (deploy/admin promote)", ACCOUNTS),
    STATISTICS("admin-service; rookery.admin.metrics.networks lists the networks that may read metrics", HEALTH),
    FAREWELL("auth-service");

    private final String remedy;
    private final @Nullable Family needed;

    Family(String remedy) {
        this(remedy, null);
    }

    Family(String remedy, @Nullable Family needed) {
        this.remedy = remedy;
        this.needed = needed;
    }

    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The place to look at when the family fails. */
    String remedy() {
        return remedy;
    }

    /** The prerequisite, without which a result has no meaning. */
    Optional<Family> needed() {
        return Optional.ofNullable(needed);
    }
}
