// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.room.table.DelayedEvents;

/** Restarts, sends and cancels delayed events. A repeated action on a finished event succeeds if the event ended that way. */
@Component
class DelayedEventChanger {
    private final ScheduledEvents events;
    private final DelayedEventSender sender;

    DelayedEventChanger(ScheduledEvents events, DelayedEventSender sender) {
        this.events = events;
        this.sender = sender;
    }

    /** M_NOT_FOUND for an unknown event; 409 M_UNKNOWN for an event that ended in another way. */
    Mono<Void> act(DelayedEvents.Key key, String action) {
        if (!key.isValid()) {
            return Mono.error(unknown());
        }
        return switch (action) {
            case "restart" -> events.restart(key).flatMap(restarted -> restarted ? Mono.empty() : conflict(key));
            case "cancel" -> events.cancel(key).flatMap(cancelled -> cancelled ? Mono.empty() : requireUnsent(key));
            case "send" -> found(key).flatMap(this::send);
            default -> Mono.error(new ApiException(ErrorCode.M_INVALID_PARAM, "action is restart, send or cancel"));
        };
    }

    private Mono<Void> send(ScheduledEvent event) {
        return event.isScheduled()
                ? sender.sendEarly(event)
                        .then(Mono.defer(() -> found(event.key())))
                        .flatMap(this::requireSent)
                : requireSent(event);
    }

    private Mono<Void> requireSent(ScheduledEvent event) {
        return event.isSent() ? Mono.empty() : Mono.error(finished());
    }

    private Mono<Void> requireUnsent(DelayedEvents.Key key) {
        return found(key).flatMap(event -> event.isSent() ? Mono.error(finished()) : Mono.empty());
    }

    private Mono<Void> conflict(DelayedEvents.Key key) {
        return found(key).then(Mono.error(DelayedEventChanger::finished));
    }

    private Mono<ScheduledEvent> found(DelayedEvents.Key key) {
        return events.find(key).switchIfEmpty(Mono.error(DelayedEventChanger::unknown));
    }

    static ApiException unknown() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such delayed event");
    }

    private static ApiException finished() {
        return new ApiException(ErrorCode.M_UNKNOWN, "the event was sent or cancelled already").withStatus(409);
    }
}
