// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import rookery.e2e.api.Session;
import rookery.e2e.api.UnexpectedAnswerException;

/**
 * The times of a message that is sent while its reader waits in a long poll.
 *
 * @param acceptedMillis from the start of the request to its response
 * @param arrivedMillis from the start of the request to the reader's sync response
 * @param isTimed whether no request waited for the rate limit meanwhile; otherwise the times are meaningless
 */
record Exchange(String event, double acceptedMillis, double arrivedMillis, boolean isTimed) {
    /** Time for the reader's long poll to reach the server. */
    private static final Duration HEAD_START = Duration.ofMillis(150);

    static Exchange play(PatientClock clock, Person sender, Person reader, String room, String text)
            throws IOException {
        int stops = clock.stops();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Long> poll = () -> reader.waitFor(
                    "\"" + text + "\"",
                    sync -> Session.timeline(sync, room).stream()
                            .anyMatch(event -> event.path("content")
                                    .path("body")
                                    .asString("")
                                    .equals(text)));
            var arrival = threads.submit(poll);
            Person.pause(HEAD_START);
            long begun = clock.nanos();
            var event = sender.session().say(room, text);
            double accepted = clock.millisSince(begun);
            long arrived = arrival.get();
            return new Exchange(event, accepted, (arrived - begun) / 1e6, clock.stops() == stops);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnexpectedAnswerException failure) {
                throw failure;
            }
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}
