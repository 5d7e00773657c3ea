// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.push.RoomUser;

/** The display names, before the batch, of members whom the batch renames. */
record Names(Map<RoomUser, String> before) {
    static final Names NONE = new Names(Map.of());

    /** A member's display name at an event of the batch; {@code now} is the name at the end of the batch. */
    @Nullable
    String at(Batch batch, RoomUser user, long pos, @Nullable String now) {
        var events = batch.memberEvents.get(user);
        if (events == null) {
            return now;
        }
        for (int i = events.size() - 1; i >= 0; i--) {
            if (events.get(i).pos() <= pos) {
                return events.get(i).contentText("displayname");
            }
        }
        return before.get(user);
    }
}
