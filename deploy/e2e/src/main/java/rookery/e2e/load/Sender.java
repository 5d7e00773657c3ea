package rookery.e2e.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Session;
import rookery.e2e.checking.Sent;
import rookery.e2e.checking.Sent.Reply;
import rookery.embedded.Deadline;

/** Sends one message, with the same transaction id until it is accepted. */
final class Sender {
    /** The key of the content that tells messages apart. */
    static final String TAG = "rookery.tag";

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final Recorder recorder;
    private final Duration patience;

    Sender(Recorder recorder, Duration patience) {
        this.recorder = recorder;
        this.patience = patience;
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
        recorder.sent(new Sent(sender.userId(), room, tag, tag, replies));
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
        var deadline = Deadline.in(patience);
        do {
            try {
                var answer = sender.send(room, txnId, content);
                if (answer.isOk()) {
                    var eventId = answer.json().path("event_id").asString();
                    replies.add(new Reply(eventId, System.nanoTime()));
                    return eventId;
                }
                if (!isPassing(answer)) {
                    recorder.trouble("%s was refused: %s".formatted(txnId, answer));
                    return null;
                }
            } catch (IOException _) {
                // not known whether it arrived: that is what transaction ids are for
            }
            replies.add(new Reply(null, System.nanoTime()));
            LockSupport.parkNanos(PAUSE.toNanos());
        } while (!deadline.passed() && !Thread.currentThread().isInterrupted()); // interrupted, it would not pause
        recorder.trouble(
                "%s was not accepted within %d s, or until the talk was over".formatted(txnId, patience.toSeconds()));
        return null;
    }

    private static boolean isPassing(Answer answer) {
        return answer.status() >= 500 || answer.status() == 429;
    }
}
