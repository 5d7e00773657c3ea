// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import rookery.e2e.api.Session;

/** A client's queue of outgoing messages: the next message is sent after the success of the one before. */
final class Speaker implements Runnable {
    private final Session session;
    private final Sender sender;
    private final LinkedBlockingQueue<Words> waiting = new LinkedBlockingQueue<>();
    private final AtomicInteger unsaid = new AtomicInteger();

    private record Words(String room, String tag, boolean repeated) {}

    Speaker(Session session, Sender sender) {
        this.session = session;
        this.sender = sender;
    }

    void say(String room, String tag, boolean repeated) {
        unsaid.incrementAndGet();
        waiting.add(new Words(room, tag, repeated));
    }

    boolean hasSaidAll() {
        return unsaid.get() == 0;
    }

    @Override
    public void run() {
        try {
            while (true) {
                var words = waiting.take();
                sender.send(session, words.room, words.tag, words.repeated);
                unsaid.decrementAndGet();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the talk has ended
        }
    }
}
