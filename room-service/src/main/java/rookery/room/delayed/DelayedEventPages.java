// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantUser;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.room.delayed.ScheduledEvents.Place;
import rookery.room.table.DelayedEvents;

/** Reads a user's delayed events, in the order in which they are due. */
@Component
class DelayedEventPages {
    private static final char TOKEN = 'D';
    /** Few, because each may have 64 KiB. */
    private static final int PAGE = 10;

    private final ScheduledEvents events;
    private final TokenCodec tokens;

    DelayedEventPages(ScheduledEvents events, TokenCodec tokens) {
        this.events = events;
        this.tokens = tokens;
    }

    record Page(List<ScheduledEvent> events, @Nullable String nextBatch) {}

    /** M_NOT_FOUND for an unknown event and for an event of another user. */
    Mono<ScheduledEvent> find(Caller caller, String delayId) {
        return Mono.just(new DelayedEvents.Key(caller.tenant(), delayId))
                .filter(DelayedEvents.Key::isValid)
                .flatMap(events::find)
                .filter(event -> event.user().equals(caller.user()))
                .switchIfEmpty(Mono.error(DelayedEventChanger::unknown));
    }

    Mono<Page> page(Caller caller, @Nullable String status, @Nullable String from) {
        var user = new TenantUser(caller.tenant(), caller.user());
        return events.page(user, status, from == null ? Place.START : place(caller, from), PAGE + 1)
                .map(read -> read.size() <= PAGE
                        ? new Page(read, null)
                        : new Page(read.subList(0, PAGE), token(caller, read.get(PAGE - 1))));
    }

    private String token(Caller caller, ScheduledEvent last) {
        var bytes =
                ByteBuffer.allocate(2 * Long.BYTES).putLong(last.dueMillis()).putLong(last.number());
        return tokens.write(TOKEN, bytes.array(), owner(caller));
    }

    private Place place(Caller caller, String token) {
        var bytes = ByteBuffer.wrap(tokens.read(TOKEN, token, owner(caller)));
        try {
            return new Place(bytes.getLong(), bytes.getLong());
        } catch (BufferUnderflowException _) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "this token belongs to another list");
        }
    }

    private static TokenOwner owner(Caller caller) {
        return new TokenOwner(caller.tenant(), caller.user());
    }
}
