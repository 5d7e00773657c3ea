// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The lifetimes of tokens and of cache entries in gateways; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.session")
record SessionProperties(
        @DefaultValue("1h") Duration accessTokenLife,
        @DefaultValue("90d") Duration refreshTokenLife,
        @DefaultValue("10s") Duration cacheLife) {}
