// SPDX-License-Identifier: Apache-2.0
package rookery.room.relation;

import java.util.List;
import rookery.room.table.StoredEvent;

/** Events of a room, for a single reader. */
public record Page(Audience audience, List<StoredEvent> events) {}
