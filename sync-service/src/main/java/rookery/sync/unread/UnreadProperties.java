// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** Timeouts and limits of unread counts; sync-service.yml explains every key. */
@ConfigurationProperties("rookery.sync.unread")
public record UnreadProperties(
        @DefaultValue("500ms") Duration patience,
        @DefaultValue("1s") Duration pause,
        @DefaultValue("32") int callsAtOnce,
        @DefaultValue("2000") int callsWaitingMax,
        @DefaultValue("2MB") DataSize judgedMax) {}
