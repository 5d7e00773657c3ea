package rookery.e2e.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import rookery.e2e.model.Act.Kind;

/**
 * Counts again, event by event, what a user has not read (CONTRACT.md 11.4): for users whose push rules are the default ones, in
 * conversations in which nobody is mentioned, so that exactly the messages of others count.
 */
final class Unread {
    private static final String MAIN = "main";
    private static final String EVERYWHERE = "";

    private final Evidence evidence;
    private final RoomStory story;
    private final String user;

    Unread(Evidence evidence, RoomStory story, String user) {
        this.evidence = evidence;
        this.story = story;
        this.user = user;
    }

    /** At the end of the conversation, when all receipts have arrived. */
    int count(Set<String> ignored, long at) {
        var read = read();
        long joined = story.joinedFrom(user, at);
        var redacted = new HashSet<String>();
        story.events().forEach(event -> {
            if (event.redacts() != null) {
                redacted.add(event.redacts());
            }
        });
        int count = 0;
        for (var event : story.events()) {
            long from = Math.max(joined, read.getOrDefault(EVERYWHERE, 0L));
            boolean counts = event.type().equals("m.room.message")
                    && event.stateKey() == null
                    && !event.sender().equals(user)
                    && !ignored.contains(event.sender())
                    && !redacted.contains(event.id());
            if (counts && event.pos() > Math.max(from, read.getOrDefault(thread(event), 0L))) {
                count++;
            }
        }
        return count;
    }

    /** How far by thread: what was said to be read, and what the user sent. */
    private Map<String, Long> read() {
        var read = new HashMap<String, Long>();
        for (var act : evidence.diary().acts()) {
            var pos = evidence.place(act.eventId());
            boolean isMine = act.who().user().value().equals(user) && act.room().equals(story.room());
            if (isMine
                    && pos != null
                    && act.kind() == Kind.RECEIPT
                    && act.subject().startsWith("m.read")) {
                read.merge(act.subject().endsWith(MAIN) ? MAIN : EVERYWHERE, pos, Math::max);
            }
        }
        for (var event : story.events()) {
            if (event.sender().equals(user)) {
                read.merge(thread(event), event.pos(), Math::max);
            }
        }
        return read;
    }

    private static String thread(Event event) {
        var relation = event.content().path("m.relates_to");
        return relation.path("rel_type").asString("").equals("m.thread")
                ? relation.path("event_id").asString("")
                : MAIN;
    }
}
