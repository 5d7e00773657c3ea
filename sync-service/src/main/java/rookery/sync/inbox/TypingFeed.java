// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.time.Clock;
import java.time.Duration;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import rookery.model.id.TenantRoom;
import rookery.model.topic.EphemeralRecord;
import rookery.model.topic.EphemeralRecord.PresenceSet;
import rookery.model.topic.EphemeralRecord.Typing;
import rookery.platform.ephemeral.EphemeralTail;
import rookery.sync.presence.PresenceProperties;
import rookery.sync.presence.PresenceSets;
import rookery.sync.typing.TypingSets;

/**
 * Takes typing and presence from {@code ephemeral}, and wakes readers. Typing comes on {@code ephemeral}, and events that end
 * typing come on the room log, in any order: positions decide.
 */
@Component
public class TypingFeed {
    private final TypingSets typing;
    private final PresenceSets presence;
    private final PresenceProperties presenceProperties;
    private final RoomFeed rooms;
    private final Clock clock;
    private final EphemeralTail tail;

    TypingFeed(
            TypingSets typing,
            PresenceSets presence,
            PresenceProperties presenceProperties,
            RoomFeed rooms,
            Clock clock,
            ConsumerFactory<String, byte[]> consumers) {
        this.typing = typing;
        this.presence = presence;
        this.presenceProperties = presenceProperties;
        this.rooms = rooms;
        this.clock = clock;
        this.tail = new EphemeralTail(this::take, consumers, clock);
    }

    void take(EphemeralRecord record) {
        switch (record) {
            case Typing change -> take(change);
            case PresenceSet change -> presence.take(change, System.nanoTime());
        }
    }

    private void take(Typing change) {
        var room = new TenantRoom(change.tenant(), change.room());
        boolean changed;
        if (change.timeoutMillis() == 0) {
            changed = typing.stop(room, change.user(), change.ts(), System.nanoTime());
        } else if (rooms.hasEndedTyping(room, change.user(), change.pos())) {
            return;
        } else {
            changed =
                    typing.start(room, change.user(), change.pos(), change.ts(), leftNanos(change), System.nanoTime());
            if (rooms.hasEndedTyping(room, change.user(), change.pos())) { // ended between check and start
                typing.end(room, change.user(), Long.MAX_VALUE, System.nanoTime());
            }
        }
        if (changed) {
            rooms.wakeMembers(room);
        }
    }

    /** The rest of the timeout. A wrong clock shortens the rest, and never extends it. */
    private long leftNanos(Typing change) {
        long passed = Math.max(0, clock.millis() - change.ts());
        return Duration.ofMillis(change.timeoutMillis() - Math.min(passed, change.timeoutMillis()))
                .toNanos();
    }

    @Scheduled(fixedDelayString = "${rookery.sync.typing.expiry-interval:200ms}")
    void expire() {
        typing.expire(System.nanoTime()).forEach(rooms::wakeMembers);
    }

    @Scheduled(fixedDelayString = "${rookery.sync.presence.round:1s}")
    void nextRound() {
        presence.nextRound(System.nanoTime())
                .forEach((tenant, changed) -> rooms.wakeReaders(tenant, changed, presenceProperties.wakeReadersMax()));
    }

    void start() {
        tail.start();
    }

    void stop() {
        tail.close();
    }
}
