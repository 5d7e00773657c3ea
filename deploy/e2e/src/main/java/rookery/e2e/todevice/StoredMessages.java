// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import rookery.e2e.running.Databases;
import rookery.embedded.Database;

/**
 * Reads all messages ever written for devices from the database. A trigger records each written message, because acknowledged
 * messages are deleted.
 */
final class StoredMessages {
    private static final String BEGIN = """
            CREATE TABLE IF NOT EXISTS auth.stored_message (device text, tag text, pos bigint);
            TRUNCATE auth.stored_message;
            CREATE OR REPLACE FUNCTION auth.note_stored_message() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO auth.stored_message
                VALUES (NEW.subject || ' ' || NEW.device_id, substring(NEW.body from '"%s":"([^"]*)"'), NEW.pos);
                RETURN NULL;
            END
            $$;
            CREATE OR REPLACE TRIGGER note_stored_message AFTER INSERT ON auth.to_device_entry
                FOR EACH ROW EXECUTE FUNCTION auth.note_stored_message();
            """.formatted(MessageSender.TAG);

    private static final String ALL = """
            SELECT device, tag, pos FROM auth.stored_message WHERE tag IS NOT NULL ORDER BY pos
            """;

    private static final String END = """
            DROP TRIGGER note_stored_message ON auth.to_device_entry;
            DROP FUNCTION auth.note_stored_message();
            DROP TABLE auth.stored_message;
            """;

    private final Database database;

    private StoredMessages(Database database) {
        this.database = database;
    }

    /** Starts the recording. */
    static StoredMessages begin(Databases databases) {
        var database = databases.database("auth-service");
        database.execute(BEGIN);
        return new StoredMessages(database);
    }

    /** Ends the recording. Returns the written messages. */
    List<StoredMessage> end() {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            var all = new ArrayList<StoredMessage>();
            try (var rows = statement.executeQuery(ALL)) {
                while (rows.next()) {
                    all.add(new StoredMessage(rows.getString("device"), rows.getString("tag"), rows.getLong("pos")));
                }
            }
            statement.execute(END);
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException("what was written for devices cannot be read", e);
        }
    }
}
