// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

import java.time.Clock;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;

/** Changes of devices or keys that are not announced in the user's rooms yet. */
@Component
public class DeviceListChanges extends SpreadQueue {
    DeviceListChanges(DatabaseClient db, Clock clock) {
        super(db, clock, "room.device_list_change");
    }
}
