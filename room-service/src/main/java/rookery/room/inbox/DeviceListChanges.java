package rookery.room.inbox;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;

/** Changes of devices or keys that those who share rooms with their user have not been told. */
@Component
public class DeviceListChanges extends SpreadQueue {
    DeviceListChanges(DatabaseClient db) {
        super(db, "room.device_list_change");
    }
}
