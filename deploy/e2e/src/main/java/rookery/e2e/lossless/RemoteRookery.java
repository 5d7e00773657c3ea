package rookery.e2e.lossless;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Databases;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.Migrations;

/** A Rookery that was not started here, such as that of deploy/compose. */
final class RemoteRookery implements Databases {
    /** Of its gateway. */
    @Option(names = "--url", paramLabel = "an address such as http://localhost:8008")
    private URI url = URI.create("http://localhost:8008");

    /** {@code host:port} of its PostgreSQL. */
    @Option(names = "--database")
    private String database = "localhost:5432";

    /** A folder with the passwords of the services' roles. */
    @Option(names = "--passwords")
    private Path passwords = Path.of("deploy/compose/secrets.d");

    /** They talk until it is there; null for as long as they were told to. */
    @Option(names = "--stop-file")
    @Nullable
    Path stopFile;

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
