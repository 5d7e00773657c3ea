// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.Map;
import rookery.model.id.RoomId;
import rookery.model.token.Positions;
import rookery.sync.unread.Counts.Tally;

/**
 * Push-service's counts as of the positions; absent rooms have no unread events.
 *
 * @param counted the positions up to which push-service has counted, perhaps beyond the requested positions
 * @param userLog push-service's position in the user log, with regard to rules and ignore list
 */
record PushServiceCounts(
        long epoch,
        Positions positions,
        Map<RoomId, Map<String, Tally>> rooms,
        Positions counted,
        UserLogPosition userLog) {}
