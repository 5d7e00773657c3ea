package rookery.platform.log.append;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How the owner of a log treats its database; explained in platform.yml. */
@ConfigurationProperties("rookery.log")
public record LogProperties(@DefaultValue("RAISE") OnNewTimeline onNewTimeline) {}
