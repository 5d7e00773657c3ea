package rookery.sync.stream;

import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.topic.RoomLogRecord.EventAppended;

/** An event and its position in its room's shard. */
public record Held(long pos, EventAppended event) {
    private static final int OVERHEAD_BYTES = 600; // the parsed meta and the objects around the texts

    /** What a state event is the value of. */
    record Key(String type, String stateKey) {}

    @Nullable
    Key key() {
        var stateKey = event.meta().stateKey();
        return stateKey == null ? null : new Key(event.meta().type(), stateKey);
    }

    boolean isState() {
        return event.meta().stateKey() != null;
    }

    boolean isMember() {
        return isState() && event.meta().type().equals(EventTypes.MEMBER);
    }

    int bytes() {
        return OVERHEAD_BYTES
                + event.eventJson().length()
                + length(event.prevContentJson())
                + length(event.strippedStateJson());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
