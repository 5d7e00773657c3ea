package rookery.sync.unread;

import java.util.Map;
import rookery.model.id.RoomId;
import rookery.model.token.Positions;
import rookery.sync.unread.Counts.Tally;

/**
 * What push-service says as of these positions; of rooms that are absent, nothing is unread.
 *
 * @param counted how far it has counted by now, perhaps beyond what it was asked for
 * @param heard how much it knows of the user's rules and ignore list
 */
record ToldCounts(
        long epoch,
        Positions positions,
        Map<RoomId, Map<String, Tally>> rooms,
        Positions counted,
        UserLogPosition heard) {}
