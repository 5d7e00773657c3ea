package rookery.room.redaction;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What happens to what was redacted.
 *
 * @param keepOriginalsFor how long the original of a redacted event stays in the database, where nobody but an operator reads it
 */
@ConfigurationProperties("rookery.room.redaction")
record RedactionProperties(@DefaultValue("7d") Duration keepOriginalsFor) {
    RedactionProperties {
        if (keepOriginalsFor.isNegative()) {
            throw new IllegalArgumentException("rookery.room.redaction.keep-originals-for must not be negative");
        }
    }
}
