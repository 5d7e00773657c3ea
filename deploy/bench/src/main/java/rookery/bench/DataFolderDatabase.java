// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import rookery.embedded.Database;

/** The superuser's access to the database of a data folder. */
final class DataFolderDatabase {
    private DataFolderDatabase() {}

    static Database of(Path data) throws IOException {
        return new Database(
                "127.0.0.1",
                Integer.parseInt(Files.readString(data.resolve("pg/port")).strip()),
                "rookery",
                "postgres",
                Files.readString(data.resolve("pg/superuser-password")).strip());
    }
}
