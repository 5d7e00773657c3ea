// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The visibility of profiles; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.profile")
record ProfileProperties(@DefaultValue("false") boolean requiresSharedRoom) {}
