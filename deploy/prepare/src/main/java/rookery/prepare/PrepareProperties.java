package rookery.prepare;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * With what the database and the broker are prepared; explained in prepare.yml.
 *
 * @param passwords of the services' roles, by service, such as {@code room-service}
 * @param backupTo a file to be written, after which nothing else is done
 * @param restoreFrom a backup that the empty database is made of, before everything else
 * @param raiseEpochs whether both logs go on in new epochs, after which nothing else is done
 */
@ConfigurationProperties("rookery.prepare")
record PrepareProperties(
        DatabaseServer database,
        Kafka kafka,
        @DefaultValue Map<String, String> passwords,
        @Nullable Path backupTo,
        @Nullable Path restoreFrom,
        @DefaultValue("false") boolean raiseEpochs) {
    /** PostgreSQL, as somebody who may make roles and databases; the database itself is made when it is not there. */
    record DatabaseServer(
            @DefaultValue("localhost") String host,
            @DefaultValue("5432") int port,
            @DefaultValue("rookery") String name,
            @DefaultValue("postgres") String username,
            @DefaultValue("") String password) {}

    /**
     * @param client settings of a client of Kafka that may make topics and rights
     * @param login who that client is, as its setting sasl.jaas.config has it; empty where the broker asks nobody
     * @param replicas of each topic
     * @param rights whether the broker keeps rights, and the services' are to be set
     */
    record Kafka(
            @DefaultValue Map<String, String> client,
            @DefaultValue("") String login,
            @DefaultValue("1") short replicas,
            @DefaultValue("true") boolean rights) {}
}
