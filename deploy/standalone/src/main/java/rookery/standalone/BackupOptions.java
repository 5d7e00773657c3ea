package rookery.standalone;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Database;
import rookery.embedded.Folders;
import rookery.embedded.Migrations;

/**
 * What the operator wants backed up or restored.
 *
 * @param file the backup; null to be told how it is done
 * @param data the data folder
 * @param database {@code HOST:PORT} or {@code HOST:PORT/NAME} of a PostgreSQL that is not the data folder's; null for that one
 * @param passwordFile of the user
 * @param passwords folder with the passwords of the services' roles, called {@code database-room} and so on; null if none is named
 */
record BackupOptions(
        @Nullable Path file,
        Path data,
        @Nullable String database,
        String user,
        @Nullable Path passwordFile,
        @Nullable Path passwords) {
    private static final String NAME = "rookery";
    private static final int PORT = 5432;

    static BackupOptions parse(List<String> words, Path data) {
        var options = new BackupOptions(null, data, null, "postgres", null, null);
        var rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            if (word.equals("--help") || word.equals("-h")) {
                return new BackupOptions(null, data, null, "", null, null);
            }
            if (!word.startsWith("-")) {
                options = options.of(Path.of(word));
            } else if (rest.hasNext()) {
                options = options.with(word, rest.next());
            } else {
                throw Complaint.usage(word + " needs a value; --help shows how it looks");
            }
        }
        return options;
    }

    private BackupOptions of(Path backup) {
        if (file != null) {
            throw Complaint.usage("one file is enough, these are two: %s and %s".formatted(file, backup));
        }
        return new BackupOptions(backup, data, database, user, passwordFile, passwords);
    }

    private BackupOptions with(String option, String value) {
        return switch (option) {
            case "--data" -> new BackupOptions(file, Path.of(value), database, user, passwordFile, passwords);
            case "--database" -> new BackupOptions(file, data, value, user, passwordFile, passwords);
            case "--user" -> new BackupOptions(file, data, database, value, passwordFile, passwords);
            case "--password-file" -> new BackupOptions(file, data, database, user, Path.of(value), passwords);
            case "--passwords" -> new BackupOptions(file, data, database, user, passwordFile, Path.of(value));
            default -> throw Complaint.usage("unknown option %s; --help lists them all".formatted(option));
        };
    }

    /** The PostgreSQL that was named. */
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

    /** Of the services' roles. */
    Installation roles() {
        if (passwords == null) {
            throw Complaint.usage(
                    "--database needs --passwords DIR, with files called database-room and so on: the roles are made with them");
        }
        var made = Installation.create("");
        for (String service : Migrations.SERVICES) {
            made.passwords().setProperty(service, secret(passwords.resolve("database-" + Migrations.role(service))));
        }
        return made;
    }

    private static String secret(Path file) {
        var text = Folders.textOf(file);
        if (text == null) {
            throw Complaint.failure("there is no file " + file);
        }
        return text.strip();
    }
}
