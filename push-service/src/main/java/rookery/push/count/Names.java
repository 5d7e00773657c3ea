package rookery.push.count;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the members whom a batch renames were called before it. */
record Names(Map<RoomUser, String> before) {
    static final Names NONE = new Names(Map.of());

    /**
     * What somebody is called at an event of the batch.
     *
     * @param now what they are called at its end
     */
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
