// SPDX-License-Identifier: Apache-2.0
package rookery.push.gateway;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Restrictions on push gateways; push-service.yml explains the keys. */
@ConfigurationProperties("rookery.push")
record GatewayProperties(
        @DefaultValue("false") boolean allowHttp,
        @DefaultValue("false") boolean allowPrivate,
        @DefaultValue("10s") Duration gatewayTimeout) {}
