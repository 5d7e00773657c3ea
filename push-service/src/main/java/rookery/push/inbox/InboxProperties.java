// SPDX-License-Identifier: Apache-2.0
package rookery.push.inbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How the logs are followed; push-service.yml explains the keys. */
@ConfigurationProperties("rookery.push.inbox")
record InboxProperties(@DefaultValue("200ms") Duration gathering) {}
