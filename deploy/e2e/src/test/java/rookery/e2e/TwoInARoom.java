package rookery.e2e;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** Two people in a room, new for each test. */
abstract class TwoInARoom {
    final Rookery rookery;
    Http http;
    Session ada;
    Session grace;
    String room;

    TwoInARoom(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws Exception {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        grace = People.newcomer(http, "grace");
        room = People.roomOf(ada, grace);
    }

    @AfterEach
    void close() {
        http.close();
    }
}
