// SPDX-License-Identifier: Apache-2.0
package rookery.room.redaction;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Settings of redactions. The keys are explained in room-service.yml. */
@ConfigurationProperties("rookery.room.redaction")
record RedactionProperties(@DefaultValue("7d") Duration keepOriginalsFor) {
    RedactionProperties {
        if (keepOriginalsFor.isNegative()) {
            throw new IllegalArgumentException("rookery.room.redaction.keep-originals-for must not be negative");
        }
    }
}
