// SPDX-License-Identifier: Apache-2.0
package rookery.directory;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.TestServers;

/** A fresh database of this service, without the service. */
public final class DirectoryDatabase {
    private DirectoryDatabase() {}

    public static DatabaseClient fresh() {
        var database = TestServers.database("directory-service");
        return DatabaseClient.create(ConnectionFactories.get(ConnectionFactoryOptions.parse(database.pooledR2dbcUrl())
                .mutate()
                .option(ConnectionFactoryOptions.USER, database.username())
                .option(ConnectionFactoryOptions.PASSWORD, database.password())
                .build()));
    }
}
