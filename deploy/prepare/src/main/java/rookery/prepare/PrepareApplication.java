// SPDX-License-Identifier: Apache-2.0
package rookery.prepare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.KafkaTopics;
import rookery.embedded.Migrations;
import rookery.embedded.TenantTables;
import rookery.embedded.backup.Backup;
import rookery.embedded.backup.Manifest;
import rookery.embedded.backup.Restore;
import rookery.model.id.ServerName;
import rookery.platform.settings.ServiceStart;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.Tenants;

/**
 * Prepares the servers, then ends: creates the services' roles in PostgreSQL, migrates their schemas, and creates Kafka's topics
 * and rights. Refuses tenants that contradict the data. Existing objects stay, so the program may run before every start. Waits a
 * minute for unavailable servers, and ends with 1 on failure.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableConfigurationProperties({PrepareProperties.class, TenantProperties.class})
public class PrepareApplication {
    private static final Logger log = LoggerFactory.getLogger(PrepareApplication.class);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Bean
    static CommandLineRunner preparation(PrepareProperties properties, TenantProperties tenantProperties) {
        var tenants = new Tenants(tenantProperties);
        return _ -> {
            var database = database(properties.database());
            if (properties.backupTo() != null) {
                backUp(database, properties.backupTo());
            } else if (properties.raiseEpochs()) {
                Restore.raiseEpochs(database).forEach(PrepareApplication::sayOfLog);
            } else {
                prepareDatabase(properties, database);
                bindTenants(database, tenants);
                prepareKafka(properties.kafka());
                log.info("prepared: the services may start");
            }
        };
    }

    private static Database database(PrepareProperties.DatabaseServer server) {
        return new Database(server.host(), server.port(), server.name(), server.username(), server.password());
    }

    private static void backUp(Database database, Path file) {
        if (Files.exists(file)) {
            throw new IllegalArgumentException("%s is there already: name another file".formatted(file));
        }
        var manifest = Backup.write(database, file, Map.of());
        log.atInfo()
                .addKeyValue("file", file)
                .addKeyValue("rows", manifest.rows())
                .addKeyValue("taken", manifest.taken())
                .log(
                        "backed up; the secrets and uploaded files are not in it, keep rookery.internal.key and the folder of media");
    }

    private static void restore(Database database, Map<String, String> passwords, Path file) {
        var restored = Restore.into(database, passwords, file);
        log.atInfo()
                .addKeyValue("rows", restored.manifest().rows())
                .addKeyValue("taken", restored.manifest().taken())
                .log("restored");
        restored.logs().forEach(PrepareApplication::sayOfLog);
    }

    private static void sayOfLog(String schema, Manifest.LogHeads heads) {
        log.atInfo()
                .addKeyValue("schema", schema)
                .addKeyValue("entries", heads.entries())
                .addKeyValue("epoch", heads.epoch())
                .log("the log continues in a new epoch: clients with later tokens start with a full sync");
    }

    private static void prepareDatabase(PrepareProperties properties, Database database) {
        var missing = new TreeSet<>(Migrations.SERVICES);
        missing.removeAll(properties.passwords().keySet());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "no password for %s: set rookery.prepare.passwords.%s".formatted(missing, missing.getFirst()));
        }
        attempt("PostgreSQL", () -> {
            Migrations.createDatabase(database.named("postgres"), database.name());
            return true;
        });
        if (properties.restoreFrom() != null) {
            restore(
                    database,
                    properties.passwords(),
                    properties.restoreFrom()); // no retry, because the database would not be empty
        }
        attempt("PostgreSQL", () -> Migrations.apply(database, properties.passwords()));
        log.atInfo().addKeyValue("database", database).log("schemas are migrated to this version");
    }

    /**
     * Runs before any service starts: an upgrade with contradicting tenants ends here, and the services of the old
     * version continue.
     */
    private static void bindTenants(Database database, Tenants tenants) {
        var register = TenantTables.bound(database, tenants.all());
        log.atInfo().addKeyValue("tenants", register.text()).log("tenants of the data");
        var registered = TenantTables.registered(database).stream()
                .flatMap(name -> Stream.ofNullable(register.find(new ServerName(name))));
        var unserved = register.unserved(
                Stream.concat(tenants.all().stream(), registered).toList());
        if (!tenants.all().isEmpty() && !unserved.isEmpty()) {
            log.atWarn()
                    .addKeyValue("tenants", unserved)
                    .log(
                            "tenants of the data that are neither in rookery.tenants nor in the registry are not served; their data stay");
        }
    }

    private static void prepareKafka(PrepareProperties.Kafka kafka) {
        attempt("Kafka", () -> {
            Map<String, Object> settings = new HashMap<>(kafka.client());
            if (!kafka.login().isEmpty()) {
                settings.put("sasl.jaas.config", kafka.login());
            }
            try (var admin = Admin.create(settings)) {
                KafkaTopics.create(admin, kafka.replicas(), kafka.rights());
            }
            return true;
        });
        log.info("topics are there");
    }

    /** Retries for a minute, because a server that has just started may not answer yet. */
    private static void attempt(String server, Callable<?> work) {
        var failure = new Exception[1];
        boolean done = Deadline.in(PATIENCE).until(Duration.ofSeconds(1), () -> {
            try {
                work.call();
                return true;
            } catch (Exception e) {
                if (failure[0] == null) {
                    log.atInfo().addKeyValue("cause", e.getMessage()).log(server + " cannot be prepared yet");
                }
                failure[0] = e;
                return false;
            }
        });
        if (!done) {
            throw new IllegalStateException(server + " cannot be prepared: " + failure[0].getMessage(), failure[0]);
        }
    }

    public static void main(String[] arguments) {
        if (ServiceStart.isCheck(arguments)) {
            System.exit(ServiceStart.check(PrepareApplication.class, "prepare", arguments) ? 0 : 1);
        }
        new SpringApplicationBuilder(PrepareApplication.class)
                .web(WebApplicationType.NONE)
                .properties("spring.config.name=prepare")
                .run(arguments)
                .close();
    }
}
