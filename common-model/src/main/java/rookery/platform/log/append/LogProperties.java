// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The reaction of a log's owner to a changed database; explained in platform.yml. */
@ConfigurationProperties("rookery.log")
public record LogProperties(@DefaultValue("RAISE") OnNewTimeline onNewTimeline) {}
