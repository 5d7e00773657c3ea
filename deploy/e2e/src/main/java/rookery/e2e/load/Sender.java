// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Session;
import rookery.e2e.checking.SentMessage;
import rookery.e2e.checking.SentMessage.Reply;

/** Sends a message with a constant transaction id until success. */
final class Sender {
    /** The content key of the unique tag. */
    static final String TAG = "rookery.tag";

    private final Recorder recorder;
    private final Attempts attempts;

    Sender(Recorder recorder, Duration patience) {
        this.recorder = recorder;
        this.attempts = new Attempts(patience, recorder::trouble);
    }

    /**
     * Sends a message. Returns after success or after the patience.
     *
     * @param repeated whether to repeat the request after its success, which must change nothing
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
     * Sends a message outside of the checked history: a client that received it has received all earlier events.
     *
     * @return the event id, or null
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
