// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

import java.time.Clock;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;

/** Changed profiles that the rooms do not show yet. */
@Component
public class ProfileSpreads extends SpreadQueue {
    ProfileSpreads(DatabaseClient db, Clock clock) {
        super(db, clock, "room.profile_spread");
    }
}
