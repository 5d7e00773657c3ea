// SPDX-License-Identifier: Apache-2.0
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

/** A Rookery that this program did not start, such as a deployment by deploy/compose. */
final class RemoteRookery implements Databases {
    /** The URL of the gateway. */
    @Option(names = "--url", paramLabel = "an address such as http://localhost:8008")
    private URI url = URI.create("http://localhost:8008");

    /** {@code host:port} of PostgreSQL. */
    @Option(names = "--database")
    private String database = "localhost:5432";

    /** A folder with the passwords of the services' roles. */
    @Option(names = "--passwords")
    private Path passwords = Path.of("deploy/compose/secrets.d");

    /** The talk ends when this file exists; null to end after the given time. */
    @Option(names = "--stop-file")
    @Nullable
    Path stopFile;

    /** Waits for the stop file, at most for the given time. */
    void awaitEnd(Duration length) {
        if (stopFile == null) {
            return; // the talk limits its own length
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
