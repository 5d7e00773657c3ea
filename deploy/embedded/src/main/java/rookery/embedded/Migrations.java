// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;

/**
 * Migrates a database to the schemas of the services on the class path. A service {@code x-service} owns the schema {@code x} and
 * the role {@code x}; its migrations in {@code db/migration/x-service/} run as that role.
 */
public final class Migrations {
    /** In the order of the documentation. */
    public static final List<String> SERVICES = List.of(
            "auth-service", "room-service", "sync-service", "directory-service", "push-service", "admin-service");

    /** Extensions that the services' indexes need; only a superuser or the owner of the database may create them. */
    private static final List<String> EXTENSIONS = List.of("pg_trgm", "btree_gin");

    /** The SQLSTATE of PL/pgSQL's RAISE EXCEPTION. */
    private static final String RAISED = "P0001";

    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtext('rookery.roles'))";

    private static final String DATABASE_EXISTS = "SELECT 1 FROM pg_database WHERE datname = ?";

    private Migrations() {}

    /** The role and the schema of a service. */
    public static String role(String service) {
        return service.replace("-service", "");
    }

    /** Creates the database unless it exists. */
    public static void createDatabase(Database superuser, String name) {
        try (var connection = superuser.connect();
                var question = connection.prepareStatement(DATABASE_EXISTS);
                var statement = connection.createStatement()) {
            question.setString(1, name);
            try (var rows = question.executeQuery()) {
                if (!rows.next()) {
                    statement.execute("CREATE DATABASE \"%s\"".formatted(name));
                }
            }
        } catch (SQLException e) {
            throw new ServerException("the database %s cannot be made: %s".formatted(name, e.getMessage()), e);
        }
    }

    /**
     * Creates missing roles and schemas, sets the roles' passwords, and applies the migrations of all services concurrently.
     *
     * @param superuser connected to the database to migrate
     * @param passwords by service
     * @return the access of each service to that database
     */
    public static Map<String, Database> apply(Database superuser, Map<String, String> passwords) {
        var databases = new TreeMap<String, Database>();
        passwords.forEach((service, password) -> databases.put(service, superuser.as(role(service), password)));
        var outdated = new TreeMap<>(passwords);
        outdated.keySet().removeAll(AppliedMigrations.upToDate(superuser, passwords));
        if (!outdated.isEmpty()) {
            prepare(superuser, outdated);
            migrate(outdated.keySet(), databases);
            AppliedMigrations.note(superuser, outdated);
        }
        return databases;
    }

    /**
     * Creates the roles and the empty schemas of an older version, for the data of a backup. Refuses checksums that differ from
     * the migrations of this version.
     *
     * @param superuser connected to the database to migrate, which is empty
     * @param passwords by service
     * @param checksums of all applied migrations, by service and version
     */
    public static void applyUpTo(
            Database superuser, Map<String, String> passwords, Map<String, ? extends Map<String, Integer>> checksums) {
        prepare(superuser, passwords);
        var databases = new TreeMap<String, Database>();
        passwords.forEach((service, password) -> databases.put(service, superuser.as(role(service), password)));
        var flyways = new TreeMap<String, Flyway>();
        checksums.forEach((service, ofService) -> {
            var database = databases.get(service);
            if (database == null) {
                throw new ServerException("there is no password for the role of " + service);
            }
            flyways.put(service, upTo(database, service, ofService));
        });
        flyways.values().forEach(Flyway::migrate); // after all checks
    }

    private static Flyway upTo(Database database, String service, Map<String, Integer> checksums) {
        var ours = new TreeMap<MigrationVersion, Integer>();
        for (var migration :
                flyway(database, service, MigrationVersion.LATEST).info().all()) {
            ours.put(migration.getVersion(), Objects.requireNonNull(migration.getChecksum()));
        }
        checksums.forEach((version, checksum) -> {
            var current = ours.get(MigrationVersion.fromVersion(version));
            if (current == null) {
                throw newer(service, version);
            }
            if (!current.equals(checksum)) {
                throw new ServerException("the migration V%s of %s is not the one that this data has gone through"
                        .formatted(version, service));
            }
        });
        var last = checksums.keySet().stream()
                .map(MigrationVersion::fromVersion)
                .max(Comparator.naturalOrder())
                .orElse(MigrationVersion.EMPTY);
        return flyway(database, service, last);
    }

    /** Migrates the schema of one service. */
    public static Database apply(Database superuser, String service, String password) {
        return apply(superuser, Map.of(service, password)).values().iterator().next();
    }

    private static void migrate(Set<String> services, Map<String, Database> databases) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var migrations = services.stream()
                    .map(service -> CompletableFuture.runAsync(
                            () -> migrate(Objects.requireNonNull(databases.get(service)), service), threads))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(migrations).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ServerException cause ? cause : e;
        }
    }

    /**
     * One round trip for all services, because the handshake of a connection is slow by design. One at a time on a server: PostgreSQL
     * refuses concurrent changes of a role, and roles are those of the server, while the lock is that of the database.
     */
    private static synchronized void prepare(Database superuser, Map<String, String> passwords) {
        var preparation = new StringJoiner(";\n");
        preparation.add(LOCK);
        EXTENSIONS.forEach(
                extension -> preparation.add("CREATE EXTENSION IF NOT EXISTS %s SCHEMA public".formatted(extension)));
        passwords.forEach(
                (service, password) -> preparation.add(preparation(role(service), password.replace("'", "''"))));
        superuser.execute(preparation.toString());
    }

    private static String preparation(String role, String password) {
        return """
            DO $$
            BEGIN
                IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '%1$s') THEN
                    CREATE ROLE "%1$s" LOGIN;
                END IF;
            END
            $$;
            ALTER ROLE "%1$s" PASSWORD '%2$s';
            ALTER ROLE "%1$s" SET search_path = "%1$s";
            CREATE SCHEMA IF NOT EXISTS "%1$s" AUTHORIZATION "%1$s"
            """.formatted(role, password);
    }

    private static void migrate(Database database, String service) {
        if (Migrations.class.getClassLoader().getResource("db/migration/" + service) == null) {
            return; // the service is not on the class path, so another process migrates its schema
        }
        try {
            var flyway = flyway(database, service, MigrationVersion.LATEST);
            refuseNewer(service, flyway.info().all());
            flyway.migrate();
        } catch (FlywayException e) {
            if (root(e) instanceof SQLException refusal && RAISED.equals(refusal.getSQLState())) {
                throw new ServerException(firstLine(refusal), e);
            }
            throw new ServerException("the migrations of %s failed: %s".formatted(service, e.getMessage()), e);
        }
    }

    private static Flyway flyway(Database database, String service, MigrationVersion last) {
        return Flyway.configure()
                .dataSource(database.jdbcUrl(), database.username(), database.password())
                .locations("classpath:db/migration/" + service)
                .defaultSchema(role(service))
                .createSchemas(false)
                .cleanDisabled(true)
                .target(last)
                .load();
    }

    private static Throwable root(Throwable failure) {
        return failure.getCause() == null ? failure : root(failure.getCause());
    }

    /** The message of an exception that a migration raised: one line for operators, without Flyway's report. */
    private static String firstLine(SQLException refusal) {
        return String.valueOf(refusal.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .replaceFirst("^ERROR: ", "");
    }

    private static void refuseNewer(String service, MigrationInfo[] migrations) {
        for (var migration : migrations) {
            if (migration.getState() == MigrationState.FUTURE_SUCCESS
                    || migration.getState() == MigrationState.FUTURE_FAILED) {
                throw newer(service, migration.getVersion().getVersion());
            }
        }
    }

    private static ServerException newer(String service, String version) {
        return new ServerException(
                "the data was written by a newer version of Rookery (%s is at V%s, unknown here): start that version, or another data folder"
                        .formatted(service, version));
    }
}
