// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The proxies whose X-Forwarded-For is trusted; gateway.yml explains the keys. */
@ConfigurationProperties("rookery.client-address")
record ClientAddressProperties(@DefaultValue List<String> trustedProxies) {}
