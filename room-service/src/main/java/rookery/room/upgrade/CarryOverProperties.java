package rookery.room.upgrade;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How what users made of an old room follows them into the new one.
 *
 * @param interval how often an instance looks for work
 * @param lease how long another instance waits before it takes over
 */
@ConfigurationProperties("rookery.room.carry-over")
record CarryOverProperties(
        @DefaultValue("500ms") Duration interval,
        @DefaultValue("30s") Duration lease) {}
