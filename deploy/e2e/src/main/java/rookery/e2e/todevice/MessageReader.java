// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.UnexpectedAnswerException;
import rookery.e2e.todevice.SyncAnswer.Message;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** The chain of syncs of one device. Records the response of every sync after the first, lost responses included. */
final class MessageReader implements Runnable {
    private static final String RANDOM = "L64X128MixRandom";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);
    private static final int ANEW_EVERY = 15;
    private static final int LOSES_ONE_OF = 3;

    private final Device device;
    private final ReadingStyle habit;
    private final DeliveryRecorder recorder;
    private final Duration longestAway;
    private final RandomGenerator random;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private String since;
    private int polls;

    /** The behaviour of a client. */
    enum ReadingStyle {
        /** Always continues from the last response. */
        STEADY,
        /** Loses some responses and repeats the previous token. */
        LOSING,
        /** Pauses now and then, so that many messages wait. */
        AWAY,
        /** Sends an initial sync now and then. */
        ANEW
    }

    /**
     * Starts the chain with an initial sync, which is not recorded.
     *
     * @param longestAway the longest pause
     */
    MessageReader(Device device, ReadingStyle habit, DeliveryRecorder recorder, Duration longestAway)
            throws IOException {
        this.device = device;
        this.habit = habit;
        this.recorder = recorder;
        this.longestAway = longestAway;
        this.random = RandomGeneratorFactory.of(RANDOM).create(device.name().hashCode());
        this.since =
                device.session().sync(SyncQuery.initial()).path("next_batch").asString();
    }

    @Override
    public void run() {
        try {
            while (stopped.getCount() > 0) {
                if (!poll()) {
                    stopped.await(AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
                } else if (habit == ReadingStyle.AWAY) {
                    stopped.await(random.nextLong(longestAway.toMillis()), TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the run has ended
        } catch (RuntimeException e) {
            recorder.trouble("%s stopped reading: %s".formatted(device.name(), e.getMessage()));
        }
    }

    @Override
    public String toString() {
        return device.name();
    }

    void stop() {
        stopped.countDown();
    }

    private boolean poll() {
        boolean isAnew = habit == ReadingStyle.ANEW && ++polls % ANEW_EVERY == 0;
        return ask(isAnew ? SyncQuery.initial() : SyncQuery.since(since).waiting(TIMEOUT), habit == ReadingStyle.LOSING)
                != null;
    }

    /** Continues a stopped chain until a response is empty, which acknowledges the last messages. */
    boolean isAtItsEnd(Duration patience) {
        return Deadline.in(patience).until(() -> isEmpty(SyncQuery.since(since)));
    }

    /** Then waits until an initial sync is empty: the server deletes acknowledged messages a moment later. */
    boolean isDrained(Duration patience) {
        return Deadline.in(patience).until(() -> isEmpty(SyncQuery.initial()));
    }

    private boolean isEmpty(SyncQuery query) {
        var messages = ask(query, false);
        return messages != null && messages.isEmpty();
    }

    /** The messages of the response; null without a response. */
    private @Nullable List<Message> ask(SyncQuery query, boolean mayLose) {
        try {
            var answer = device.session().sync(query);
            var messages = messages(answer);
            boolean isKept = !mayLose || messages.isEmpty() || random.nextInt(LOSES_ONE_OF) > 0;
            var next = answer.path("next_batch").asString();
            recorder.answered(device, new SyncAnswer(query.since(), next, messages, isKept));
            if (isKept) {
                since = next;
            }
            return messages;
        } catch (IOException _) {
            return null; // after a kill or a restart: retry with the same token
        } catch (UnexpectedAnswerException e) {
            if (!e.isPassing()) {
                throw e;
            }
            return null;
        }
    }

    private static List<Message> messages(JsonNode answer) {
        var messages = new ArrayList<Message>();
        for (var event : answer.path("to_device").path("events")) {
            messages.add(new Message(
                    event.path("sender").asString(),
                    event.path("content").path(MessageSender.TAG).asString("")));
        }
        return messages;
    }
}
