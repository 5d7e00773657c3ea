// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Database;
import rookery.embedded.EmbeddedKafka;
import rookery.embedded.EmbeddedPostgres;
import rookery.embedded.EmbeddedRedis;
import rookery.embedded.Migrations;
import rookery.embedded.ServerException;
import rookery.embedded.TenantTables;
import rookery.model.id.ServerName;
import rookery.platform.tenant.TenantRegister;
import rookery.platform.tenant.TenantsRefusedException;
import rookery.program.Complaint;

/**
 * PostgreSQL with migrated schemas, Kafka and Redis as children of the launcher.
 *
 * @param topics completes when Kafka answers, which takes longest: services start meanwhile
 */
record Servers(
        EmbeddedPostgres postgres,
        EmbeddedKafka kafka,
        EmbeddedRedis redis,
        ReadyDatabase database,
        CompletableFuture<Void> topics)
        implements AutoCloseable {
    static final String DATABASE = "rookery";

    /**
     * The migrated database.
     *
     * @param databases the access of each service, by the service's title
     * @param tenants all tenants of the data, including the new tenants of this run
     * @param registered the server names that are served whether this run names them or not
     */
    record ReadyDatabase(Map<String, Database> databases, TenantRegister tenants, Set<String> registered) {}

    /**
     * Starts the servers concurrently and applies the migrations. When one fails, the others are stopped. Kafka may not answer
     * yet.
     *
     * @param names of the tenants to serve; new names get numbers
     */
    static Servers start(
            DataFolder data, List<ServerName> names, Path binaries, List<String> kafkaFlags, Console console) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var redis = threads.submit(() -> redis(data, binaries, console));
            var kafka = threads.submit(() -> kafka(data, kafkaFlags, console));
            var postgres = threads.submit(() -> postgres(data, binaries, console));
            var database = threads.submit(() -> migrated(postgres.get(), data.installation(), names, console));
            try {
                return new Servers(
                        result(postgres),
                        result(kafka),
                        result(redis),
                        result(database),
                        topics(result(kafka), console));
            } catch (RuntimeException e) {
                closeIfStarted(redis);
                closeIfStarted(kafka);
                closeIfStarted(postgres);
                throw e;
            }
        }
    }

    /** The access of each service to the database, by the service's title. */
    Map<String, Database> databases() {
        return database.databases;
    }

    /** The tenants of the data that are neither among the given ones nor in the registry. */
    List<String> unserved(Collection<ServerName> served) {
        return database.tenants.names().values().stream()
                .filter(name -> !name.equals(TenantRegister.NOBODY) && !database.registered.contains(name))
                .filter(name -> !served.contains(new ServerName(name)))
                .toList();
    }

    /** The numbers of the tenants. */
    TenantRegister tenants() {
        return database.tenants;
    }

    /**
     * Fails the start when a server has died. Servers are restarted only after a complete start, because an early death
     * would repeat.
     */
    void complainOfTheDead() {
        for (var child : List.of(postgres.child(), kafka.child(), redis.child())) {
            if (!child.isAlive()) {
                throw Complaint.failure("%s died before all was ready: %s (all of it in %s)"
                        .formatted(child.name(), child.lastWords(), child.log()));
            }
        }
    }

    /** Stops PostgreSQL last, so that no data are lost. */
    @Override
    public void close() {
        redis.close();
        kafka.close();
        postgres.close();
    }

    private static EmbeddedRedis redis(DataFolder data, Path binaries, Console console) {
        var redis = console.timeline().during("Redis", () -> EmbeddedRedis.start(data.folder("redis"), binaries));
        console.step("Redis answers on port " + redis.port());
        return redis;
    }

    private static EmbeddedKafka kafka(DataFolder data, List<String> flags, Console console) {
        return console.timeline().during("Kafka's process", () -> EmbeddedKafka.begin(data.folder("kafka"), flags));
    }

    private static CompletableFuture<Void> topics(EmbeddedKafka kafka, Console console) {
        var topics = new CompletableFuture<Void>();
        Thread.ofVirtual().start(() -> {
            try {
                console.timeline().during("Kafka until it answers", kafka::awaitTopics);
                console.step("Kafka answers on port " + kafka.port());
                topics.complete(null);
            } catch (RuntimeException e) {
                topics.completeExceptionally(e);
            }
        });
        return topics;
    }

    /** Returns when Kafka answers. */
    void awaitKafka() {
        result(topics);
    }

    private static EmbeddedPostgres postgres(DataFolder data, Path binaries, Console console) {
        if (EmbeddedPostgres.unpack(binaries)) {
            console.step("PostgreSQL unpacked");
        }
        var postgres = console.timeline()
                .during("PostgreSQL", () -> EmbeddedPostgres.start(data.folder(DataFolder.DATABASE), binaries));
        console.step("PostgreSQL answers on port " + postgres.port());
        return postgres;
    }

    private static ReadyDatabase migrated(
            EmbeddedPostgres postgres, Installation installation, List<ServerName> names, Console console) {
        var databases = console.timeline().during("migrations", () -> {
            Migrations.createDatabase(postgres.superuser(), DATABASE);
            return Migrations.apply(postgres.superuser(DATABASE), installation.passwordsByService());
        });
        console.step("migrations applied");
        try {
            return new ReadyDatabase(
                    databases,
                    console.timeline()
                            .during(
                                    "numbers of tenants",
                                    () -> TenantTables.numbered(postgres.superuser(DATABASE), names)),
                    TenantTables.registered(postgres.superuser(DATABASE)));
        } catch (TenantsRefusedException e) {
            throw Complaint.failure(String.valueOf(e.getMessage()));
        }
    }

    private static <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw asServerException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while starting the servers", e);
        }
    }

    private static RuntimeException asServerException(@Nullable Throwable cause) {
        return switch (cause) {
            case ExecutionException wrapper ->
                asServerException(wrapper.getCause()); // the start of PostgreSQL failed, so the migrations failed
            case RuntimeException e -> e;
            case null, default -> new ServerException("a server did not start: " + cause);
        };
    }

    private static void closeIfStarted(Future<? extends AutoCloseable> server) {
        try {
            server.get().close();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Exception _) {
            // not started, or ended by the kernel together with this process
        }
    }
}
