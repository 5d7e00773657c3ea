package rookery.room.timeline;

import org.springframework.stereotype.Component;
import rookery.model.caller.Caller;
import rookery.model.token.PageToken;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.room.timeline.RoomReader.Reading;

/** Places between two events of a room, as clients hold them (CONTRACT.md 2.8, 10.2). */
@Component
class PageTokens {
    private final TokenCodec tokens;

    PageTokens(TokenCodec tokens) {
        this.tokens = tokens;
    }

    /** A token of an older epoch is a place in a history that was restored: everything there is lies before it. */
    long pos(String token, Reading reading, Caller caller) {
        var page = tokens.readPage(token, owner(caller), reading.shard());
        return page.epoch() == reading.epoch() ? Math.min(page.pos(), reading.head()) : reading.head();
    }

    String write(long pos, Reading reading, Caller caller) {
        return tokens.write(new PageToken(reading.epoch(), reading.shard(), pos), owner(caller));
    }

    private static TokenOwner owner(Caller caller) {
        return new TokenOwner(caller.tenant(), caller.user());
    }
}
