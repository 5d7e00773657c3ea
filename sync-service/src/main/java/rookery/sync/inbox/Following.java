// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Follows both logs and {@code ephemeral} from the start of this node to its end. */
@Component
class Following implements SmartLifecycle {
    /** Starts before the web server and stops after the web server, but before the HTTP client for the owners of the logs. */
    private static final int PHASE = 100;

    private final FollowedLogs logs;
    private final TypingFeed typing;
    private volatile boolean running;

    Following(FollowedLogs logs, TypingFeed typing) {
        this.logs = logs;
        this.typing = typing;
    }

    @Override
    public void start() {
        running = true;
        logs.rooms().start();
        logs.users().start();
        typing.start();
    }

    @Override
    public void stop() {
        running = false;
        typing.stop();
        logs.users().stop();
        logs.rooms().stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
