// SPDX-License-Identifier: Apache-2.0
package rookery.platform.transfer;

import java.util.List;

/**
 * Where an import puts the entries of one log: an entry of shard n with position p gets the position {@code offsets[n] + p}.
 *
 * @param epoch of the log into which the tenant is imported
 */
public record LogOffsets(long epoch, List<Long> offsets) {
    static final String ROOM_LOG = "room-log";
    static final String USER_LOG = "user-log";
}
