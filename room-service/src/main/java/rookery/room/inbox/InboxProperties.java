// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** @param gatherFor delay between a change of a profile and its member events, for gathering further changes */
@ConfigurationProperties("rookery.room.profile")
record InboxProperties(@DefaultValue("1s") Duration gatherFor) {}
