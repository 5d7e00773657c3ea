// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** The lease of token answers; gateway.yml explains the keys. */
@ConfigurationProperties("rookery.access-token.lease")
record LeaseProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String address,
        @DefaultValue("100000") int sessionsMax,
        @DefaultValue("32MB") DataSize bytesMax) {}
