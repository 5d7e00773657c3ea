// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Known;
import rookery.model.id.ServerName;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft.OfDelayed;
import rookery.room.event.EventDrafts;
import rookery.room.roomlog.RoomLog;

/** Sends delayed events as their users, who need the power at the time of sending. */
@Component
class DelayedEventSender {
    private final EventDrafts drafts;
    private final RoomLog roomLog;

    DelayedEventSender(EventDrafts drafts, RoomLog roomLog) {
        this.drafts = drafts;
        this.roomLog = roomLog;
    }

    /** Sends an event that is due, unless the event is finished or was restarted meanwhile. */
    Mono<RoomAnswer> send(ScheduledEvent event) {
        return send(event, event.dueMillis());
    }

    /** Sends an event at once, unless the event is finished. A refused event stays scheduled. */
    Mono<RoomAnswer> sendEarly(ScheduledEvent event) {
        return send(event, null);
    }

    private Mono<RoomAnswer> send(ScheduledEvent event, @Nullable Long dueMillis) {
        return drafts.make(sender(event), event.room(), event.type(), event.stateKey(), event.body())
                .flatMap(draft -> roomLog.append(new OfDelayed(event.key(), dueMillis, draft)));
    }

    /** Without the rights of an administrator: the user may have lost them since. */
    private static Caller sender(ScheduledEvent event) {
        String user = event.user().value();
        var server = new ServerName(user.substring(user.indexOf(':') + 1));
        var identity = new Known(event.user(), event.device(), false);
        return new Caller(event.key().tenant(), server, identity, "", "delayed-event", Instant.MAX);
    }
}
