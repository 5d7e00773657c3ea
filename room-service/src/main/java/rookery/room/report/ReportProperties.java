package rookery.room.report;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of reports; the keys are explained in room-service.yml.
 *
 * @param ofUserADay reports of one user within 24 hours
 * @param keepClosedFor how long a report is kept after it was closed
 * @param interval how often an instance deletes those that were kept for long enough
 */
@ConfigurationProperties("rookery.room.report")
record ReportProperties(
        @DefaultValue("100") int ofUserADay,
        @DefaultValue("90d") Duration keepClosedFor,
        @DefaultValue("1h") Duration interval) {
    /** IllegalArgumentException says what to change. */
    ReportProperties {
        if (ofUserADay < 1) {
            throw new IllegalArgumentException(
                    "rookery.room.report.of-user-a-day: set a number of reports, at least 1, such as 100");
        }
    }
}
