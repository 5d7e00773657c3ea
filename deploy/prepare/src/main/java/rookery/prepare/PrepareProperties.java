// SPDX-License-Identifier: Apache-2.0
package rookery.prepare;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the preparation, explained in prepare.yml.
 *
 * @param passwords of the services' roles, by service, such as {@code room-service}
 * @param backupTo a backup file to write; nothing else is done
 * @param restoreFrom a backup to restore into the empty database before everything else
 * @param raiseEpochs whether to raise the epochs of both logs; nothing else is done
 */
@ConfigurationProperties("rookery.prepare")
record PrepareProperties(
        DatabaseServer database,
        Kafka kafka,
        @DefaultValue Map<String, String> passwords,
        @Nullable Path backupTo,
        @Nullable Path restoreFrom,
        @DefaultValue("false") boolean raiseEpochs) {
    /** The PostgreSQL server, with a user who may create roles and databases; a missing database is created. */
    record DatabaseServer(
            @DefaultValue("localhost") String host,
            @DefaultValue("5432") int port,
            @DefaultValue("rookery") String name,
            @DefaultValue("postgres") String username,
            @DefaultValue("") String password) {}

    /**
     * @param client settings of a Kafka client that may create topics and ACLs
     * @param login the client's sasl.jaas.config; empty for a broker without authentication
     * @param replicas of each topic
     * @param rights whether the broker has an authorizer, so that the services' ACLs are created
     */
    record Kafka(
            @DefaultValue Map<String, String> client,
            @DefaultValue("") String login,
            @DefaultValue("1") short replicas,
            @DefaultValue("true") boolean rights) {}
}
