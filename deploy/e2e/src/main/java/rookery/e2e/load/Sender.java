package rookery.e2e.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Session;
import rookery.e2e.checking.SentMessage;
import rookery.e2e.checking.SentMessage.Reply;

/** Sends one message, with the same transaction id until it is accepted. */
final class Sender {
    /** The key of the content that tells messages apart. */
    static final String TAG = "rookery.tag";

    private final Recorder recorder;
    private final Attempts attempts;

    Sender(Recorder recorder, Duration patience) {
        this.recorder = recorder;
        this.attempts = new Attempts(patience, recorder::trouble);
    }

    /**
     * Returns when it is accepted, or nobody should wait any longer.
     *
     * @param repeated whether to ask once more after the success: it must change nothing
     */
    void send(Session sender, String room, String tag, boolean repeated) {
        var replies = new ArrayList<Reply>();
        var content = Map.of("msgtype", "m.text", "body", "message " + tag, TAG, tag);
        var eventId = sendUntilAccepted(sender, room, tag, content, replies);
        if (repeated && eventId != null) {
            sendUntilAccepted(sender, room, tag, content, replies);
        }
        recorder.sent(new SentMessage(sender.userId(), room, tag, tag, replies));
    }

    /**
     * Sends what is not judged: who hears it has heard all that came before.
     *
     * @return the event's id, or null
     */
    @Nullable
    String sendLastWords(Session sender, String room, String txnId) {
        return sendUntilAccepted(
                sender, room, txnId, Map.of("msgtype", "m.text", "body", "goodbye"), new ArrayList<>());
    }

    private @Nullable String sendUntilAccepted(
            Session sender, String room, String txnId, Map<String, String> content, List<Reply> replies) {
        var answer = attempts.untilAccepted(
                txnId, () -> sender.send(room, txnId, content), _ -> replies.add(new Reply(null, System.nanoTime())));
        if (answer == null) {
            return null;
        }
        var eventId = answer.json().path("event_id").asString();
        replies.add(new Reply(eventId, System.nanoTime()));
        return eventId;
    }
}
