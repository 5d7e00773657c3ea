// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The port of operators, explained in admin-service.yml.
 *
 * @param port 0 for any free port, below 0 for none
 * @param token the credential of the root operator; empty for none, with which only operators of the table are served
 * @param deletionGrace how long a tenant that is to be deleted can be resumed, where the request does not say
 * @param deletionInterval how often an instance looks for a tenant to delete
 * @param deletionPause between two passes of a deletion
 */
@ConfigurationProperties("rookery.admin.operator")
record OperatorProperties(
        @DefaultValue("-1") int port,
        @DefaultValue("127.0.0.1") String address,
        @DefaultValue("") String token,
        @DefaultValue("7d") Duration deletionGrace,
        @DefaultValue("1s") Duration deletionInterval,
        @DefaultValue("60s") Duration deletionPause) {}
