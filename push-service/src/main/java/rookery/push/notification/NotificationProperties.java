package rookery.push.notification;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How long notifications are listed; the keys are those by which counting keeps them, explained in push-service.yml. */
@ConfigurationProperties("rookery.push.count")
record NotificationProperties(
        @DefaultValue("30d") Duration keepFor,
        @DefaultValue("90d") Duration keepHighlightsFor) {}
