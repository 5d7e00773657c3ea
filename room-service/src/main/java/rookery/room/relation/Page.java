package rookery.room.relation;

import java.util.List;
import rookery.room.table.StoredEvent;

/** Events of one room, for one reader. */
public record Page(Audience audience, List<StoredEvent> events) {}
