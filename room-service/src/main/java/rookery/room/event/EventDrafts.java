// SPDX-License-Identifier: Apache-2.0
package rookery.room.event;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.room.draft.RoomDraft.Delayable;
import rookery.room.membership.MemberChanger;

/** Makes the drafts of events and state as the endpoints for sending make them, with the same refusals before the lock. */
@Component
public class EventDrafts {
    private static final EventId ANY_ID = new EventId("$" + "A".repeat(43));

    private final EventSender sender;
    private final EventRedactor redactor;
    private final StateSetter setter;

    EventDrafts(EventSender sender, EventRedactor redactor, StateSetter setter) {
        this.sender = sender;
        this.redactor = redactor;
        this.setter = setter;
    }

    /** Refuses events that are invalid whenever they are sent: the same errors as those of sending, without the room. */
    public static void requireValid(
            Caller caller, TenantRoom room, String type, @Nullable String stateKey, JsonBody content) {
        // a size that every id fits
        ContentCheck.checked(ANY_ID, room, type, stateKey, caller.user(), content.json());
        if (stateKey == null) {
            if (type.equals(EventTypes.REDACTION)) {
                EventRedactor.target(content);
            } else {
                ContentCheck.requireMessageType(type);
            }
            return;
        }
        switch (type) {
            case EventTypes.CREATE -> throw StateSetter.created();
            case EventTypes.MEMBER -> {
                var _ = new UserId(stateKey);
                MemberChanger.requireMembership(content);
            }
            default -> {
                if (stateKey.isEmpty()) {
                    ContentCheck.requireStateContent(type, content.json());
                }
            }
        }
    }

    /**
     * The draft of an event that is valid.
     *
     * @param stateKey null for a message event
     */
    public Mono<? extends Delayable> make(
            Caller caller, RoomId room, String type, @Nullable String stateKey, JsonBody content) {
        return Mono.defer(() -> {
            if (stateKey != null) {
                return setter.draft(caller, room, type, stateKey, content);
            }
            if (type.equals(EventTypes.REDACTION)) {
                return redactor.draft(caller, room, content);
            }
            ContentCheck.requireMessageType(type);
            return Mono.fromSupplier(() -> sender.draft(caller, room, type, null, content.json(), null));
        });
    }
}
