// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Access to the room directory; directory-service.yml explains the key. */
@ConfigurationProperties("rookery.directory.rooms")
record ListingProperties(@DefaultValue("false") boolean requiresToken) {}
