// SPDX-License-Identifier: Apache-2.0
package rookery.auth.mail;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Outgoing mail; auth-service.yml explains every key.
 *
 * @param folder the folder for mails if there is no mail server, or null
 */
@ConfigurationProperties("rookery.mail")
record MailProperties(
        @DefaultValue("Rookery <no-reply@localhost>") String from,
        @Nullable Path folder,
        @DefaultValue("8s") Duration timeout,
        @DefaultValue("4") int threads,
        @DefaultValue("100") int waitingMax) {}
