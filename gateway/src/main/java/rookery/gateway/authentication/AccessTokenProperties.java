// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Whether an access token may be in the query; gateway.yml explains the key. */
@ConfigurationProperties("rookery.access-token")
record AccessTokenProperties(@DefaultValue("false") boolean inQuery) {}
