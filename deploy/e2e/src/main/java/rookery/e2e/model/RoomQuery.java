// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.Set;

/**
 * The parameters of a sync for one room.
 *
 * @param since the client's position in the room's shard; 0 for an initial sync
 * @param next the position of the response
 */
record RoomQuery(
        String user,
        boolean initial,
        long since,
        long next,
        Filter filter,
        boolean fullState,
        boolean stateAfter,
        Set<String> ignored) {
    RoomQuery {
        ignored = Set.copyOf(ignored);
    }

    boolean shows(Event event) {
        return filter.timeline().passes(event) && !(event.stateKey() == null && ignored.contains(event.sender()));
    }
}
