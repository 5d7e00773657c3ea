// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The address of a database, with user and password.
 *
 * @param name of the database, such as {@code rookery}
 */
public record Database(String host, int port, String name, String username, String password) {

    /** The value of {@code spring.r2dbc.url}; user and password are separate properties. */
    public String r2dbcUrl() {
        return "r2dbc:postgresql://%s:%d/%s".formatted(host, port, name);
    }

    /**
     * The URL of a connection pool: a handshake is slow by design. Idle connections are closed, because tests leave pools open and
     * share the connections of one server.
     */
    public String pooledR2dbcUrl() {
        return r2dbcUrl().replace("r2dbc:", "r2dbc:pool:") + "?initialSize=0&maxIdleTime=PT5S";
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://%s:%d/%s".formatted(host, port, name);
    }

    /**
     * Spring arguments of a service in a test: the database, and timeouts so long that a busy machine fails no test. Tests of the
     * limits use their own connections.
     */
    public List<String> springArguments() {
        return List.of(
                "--spring.r2dbc.url=" + r2dbcUrl(),
                "--spring.r2dbc.username=" + username,
                "--spring.r2dbc.password=" + password,
                "--spring.r2dbc.pool.max-acquire-time=30s",
                "--spring.r2dbc.properties.options=lock_timeout=20s;statement_timeout=30s;plan_cache_mode=force_generic_plan",
                "--rookery.database.silence-max=33s");
    }

    /** The same server and user with another database. */
    public Database named(String other) {
        return new Database(host, port, other, username, password);
    }

    /** The same server and database with another user. */
    public Database as(String otherUser, String itsPassword) {
        return new Database(host, port, name, otherUser, itsPassword);
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), username, password);
    }

    /** Runs statements one after the other, each in its own transaction. */
    public void execute(String... statements) {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new ServerException("the database %s refused: %s".formatted(name, e.getMessage()), e);
        }
    }

    /** The first column of all rows of a query. */
    public List<String> texts(String query) {
        try (var connection = connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var texts = new ArrayList<String>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        } catch (SQLException e) {
            throw new ServerException("the database %s refused: %s".formatted(name, e.getMessage()), e);
        }
    }

    @Override
    public String toString() {
        return "%s@%s:%d/%s".formatted(username, host, port, name); // never the password
    }
}
