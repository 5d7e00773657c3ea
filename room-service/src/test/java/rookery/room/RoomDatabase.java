// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.Database;
import rookery.embedded.TestServers;

/** A database of this service, without the service. */
public final class RoomDatabase {
    private RoomDatabase() {}

    public static DatabaseClient fresh() {
        return client(TestServers.database("room-service"));
    }

    public static DatabaseClient client(Database database) {
        return DatabaseClient.create(ConnectionFactories.get(ConnectionFactoryOptions.parse(database.pooledR2dbcUrl())
                .mutate()
                .option(ConnectionFactoryOptions.USER, database.username())
                .option(ConnectionFactoryOptions.PASSWORD, database.password())
                .build()));
    }
}
