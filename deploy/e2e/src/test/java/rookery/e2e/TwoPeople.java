// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** Two people, new for each test. */
abstract class TwoPeople {
    final Rookery rookery;
    Http http;
    Session ada;
    Session grace;

    TwoPeople(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws Exception {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        grace = People.newcomer(http, "grace");
    }

    @AfterEach
    void close() {
        http.close();
    }
}
