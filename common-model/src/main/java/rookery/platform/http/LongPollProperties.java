package rookery.platform.http;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The paths that wait for something to happen, and end when their client goes away; see platform.yml. */
@ConfigurationProperties("rookery.http")
record LongPollProperties(@DefaultValue Set<String> longPollPaths) {}
