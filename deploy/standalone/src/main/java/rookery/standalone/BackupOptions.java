// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rookery.embedded.Database;
import rookery.embedded.Folders;
import rookery.embedded.Migrations;
import rookery.program.Complaint;
import rookery.program.Program;

/** The options of {@code deploy/backup} and {@code deploy/restore}. */
final class BackupOptions {
    private static final String NAME = "rookery";
    private static final int PORT = 5432;

    @Parameters
    private List<Path> files = List.of();

    @Option(names = "--data")
    Path data;

    /**
     * {@code HOST:PORT} or {@code HOST:PORT/NAME} of a PostgreSQL outside of the data folder; null for the PostgreSQL of the
     * data folder.
     */
    @Option(names = "--database")
    @Nullable
    String database;

    @Option(names = "--user")
    private String user = "postgres";

    /** A file with the password of the user. */
    @Option(names = "--password-file")
    private @Nullable Path passwordFile;

    /** A folder with the passwords of the services' roles, in files {@code database-room} and so on. */
    @Option(names = "--passwords")
    private @Nullable Path passwords;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true)
    private boolean help;

    private BackupOptions(Path data) {
        this.data = data;
    }

    static BackupOptions parse(List<String> words, Path data) {
        var options = Program.parse(new BackupOptions(data), words);
        if (options.files.size() > 1) {
            throw Complaint.usage(
                    "only one file is allowed, not %s and %s".formatted(options.files.get(0), options.files.get(1)));
        }
        if (options.files.isEmpty() && !options.help) {
            throw Complaint.usage("name a file, such as rookery.zip; --help lists the options");
        }
        return options;
    }

    /** The backup file; null for {@code --help}. */
    @Nullable
    Path file() {
        return help ? null : files.getFirst();
    }

    /** The access of a superuser to the PostgreSQL of {@code --database}. */
    Database superuser() {
        var address = Objects.requireNonNull(database).split("/", 2);
        var hostAndPort = address[0].split(":", 2);
        try {
            return new Database(
                    hostAndPort[0],
                    hostAndPort.length == 1 ? PORT : Integer.parseInt(hostAndPort[1]),
                    address.length == 1 ? NAME : address[1],
                    user,
                    passwordFile == null ? "" : secret(passwordFile));
        } catch (NumberFormatException _) {
            throw Complaint.usage("--database is HOST:PORT or HOST:PORT/NAME, and not %s".formatted(database));
        }
    }

    /** An installation with the passwords of the folder {@code --passwords}. */
    Installation roles() {
        if (passwords == null) {
            throw Complaint.usage(
                    "--database needs --passwords DIR, with files called database-room and so on: the roles are made with them");
        }
        var installation = Installation.create("");
        for (String service : Migrations.SERVICES) {
            installation
                    .passwords()
                    .setProperty(service, secret(passwords.resolve("database-" + Migrations.role(service))));
        }
        return installation;
    }

    private static String secret(Path file) {
        var text = Folders.textOf(file);
        if (text == null) {
            throw Complaint.failure("there is no file " + file);
        }
        return text.strip();
    }
}
