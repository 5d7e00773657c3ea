// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The port of operators, explained in admin-service.yml.
 *
 * @param port 0 for any free port, below 0 for none
 * @param token the credential of operators; empty for none, with which the port refuses everything
 */
@ConfigurationProperties("rookery.admin.operator")
record OperatorProperties(
        @DefaultValue("-1") int port,
        @DefaultValue("127.0.0.1") String address,
        @DefaultValue("") String token) {}
