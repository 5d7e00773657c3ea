// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import org.junit.jupiter.api.BeforeEach;
import rookery.e2e.running.Rookery;

/** Two people in a room, new for each test. */
abstract class TwoInARoom extends TwoPeople {
    String room;

    TwoInARoom(Rookery rookery) {
        super(rookery);
    }

    @BeforeEach
    void meet() throws Exception {
        room = People.roomOf(ada, grace);
    }
}
