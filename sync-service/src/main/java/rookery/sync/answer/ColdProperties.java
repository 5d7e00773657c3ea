// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Limits of concurrent requests to room-service; sync-service.yml explains every key. */
@ConfigurationProperties("rookery.sync.cold")
public record ColdProperties(
        @DefaultValue("8") int wholeAtOnce,
        @DefaultValue("500") int wholeWaitingMax,
        @DefaultValue("32") int roomsAtOnce,
        @DefaultValue("2000") int roomsWaitingMax) {}
