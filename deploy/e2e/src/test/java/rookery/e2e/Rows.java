package rookery.e2e;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import rookery.embedded.Database;

/** What is in a service's tables, where no client can see it. */
final class Rows {
    private Rows() {}

    /** The first column of all rows. */
    static List<String> texts(Database database, String query) {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var texts = new ArrayList<String>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
