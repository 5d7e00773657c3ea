// SPDX-License-Identifier: Apache-2.0
package rookery.directory.person;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Visibility of accounts in the user directory; directory-service.yml explains the key. */
@ConfigurationProperties("rookery.directory.users")
record UserDirectoryProperties(@DefaultValue("true") boolean all) {}
