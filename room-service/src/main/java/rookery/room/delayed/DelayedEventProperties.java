// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** Limits and timing of delayed events; room-service.yml explains the keys. */
@ConfigurationProperties("rookery.room.delayed-event")
record DelayedEventProperties(
        @DefaultValue("24h") Duration delayMax,
        @DefaultValue("100") int ofUserMax,
        @DefaultValue("1MB") DataSize ofUserBytesMax,
        @DefaultValue("7d") Duration keepFinishedFor,
        @DefaultValue("500ms") Duration interval) {
    DelayedEventProperties {
        if (delayMax.isNegative() || delayMax.isZero() || delayMax.toDays() > 366) {
            throw new IllegalArgumentException(
                    "rookery.room.delayed-event.delay-max: set a time such as 24h, of at most a year");
        }
    }
}
