package rookery.e2e.lossless;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Databases;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.Migrations;

/**
 * A Rookery that was not started here, such as that of deploy/compose.
 *
 * @param url of its gateway
 * @param database {@code host:port} of its PostgreSQL
 * @param passwords a folder with the passwords of the services' roles
 * @param stopFile they talk until it is there; null for as long as they were told to
 */
record RemoteRookery(
        URI url, String database, Path passwords, @Nullable Path stopFile) implements Databases {
    static final RemoteRookery COMPOSE = new RemoteRookery(
            URI.create("http://localhost:8008"), "localhost:5432", Path.of("deploy/compose/secrets.d"), null);

    RemoteRookery at(URI other) {
        return new RemoteRookery(other, database, passwords, stopFile);
    }

    RemoteRookery withDatabase(String other) {
        return new RemoteRookery(url, other, passwords, stopFile);
    }

    RemoteRookery withPasswords(Path other) {
        return new RemoteRookery(url, database, other, stopFile);
    }

    RemoteRookery withStopFile(Path other) {
        return new RemoteRookery(url, database, passwords, other);
    }

    /** Returns when they have talked enough. */
    void awaitEnd(Duration length) {
        if (stopFile == null) {
            return; // the talk takes its length by itself
        }
        Deadline.in(length).until(Duration.ofMillis(200), () -> Files.exists(stopFile));
    }

    TenantAddress site() {
        return TenantAddress.at(url, TenantAddress.NATIVE);
    }

    @Override
    public Database database(String service) {
        int colon = database.lastIndexOf(':');
        var role = Migrations.role(service);
        try {
            return new Database(
                    database.substring(0, colon),
                    Integer.parseInt(database.substring(colon + 1)),
                    "rookery",
                    role,
                    Files.readString(passwords.resolve("database-" + role)).strip());
        } catch (IOException e) {
            throw new UncheckedIOException("no password of " + role + ": see --passwords", e);
        }
    }
}
