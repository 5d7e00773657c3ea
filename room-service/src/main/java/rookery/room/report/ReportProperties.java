// SPDX-License-Identifier: Apache-2.0
package rookery.room.report;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Limits of reports. The keys are explained in room-service.yml. */
@ConfigurationProperties("rookery.room.report")
record ReportProperties(
        @DefaultValue("100") int ofUserADay,
        @DefaultValue("90d") Duration keepClosedFor,
        @DefaultValue("1h") Duration interval) {
    /** IllegalArgumentException names the setting to change. */
    ReportProperties {
        if (ofUserADay < 1) {
            throw new IllegalArgumentException(
                    "rookery.room.report.of-user-a-day: set a number of reports, at least 1, such as 100");
        }
    }
}
