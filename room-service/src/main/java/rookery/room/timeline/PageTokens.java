package rookery.room.timeline;

import org.springframework.stereotype.Component;
import rookery.model.caller.Caller;
import rookery.model.token.PageToken;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.room.timeline.RoomReader.Reading;

/** Places between two events of a room, as clients hold them (contract.md 2.8, 10.2). */
@Component
class PageTokens {
    private final TokenCodec tokens;

    PageTokens(TokenCodec tokens) {
        this.tokens = tokens;
    }

    /** A place that was lost when the log was restored lies behind everything there is. */
    long pos(String token, Reading reading, Caller caller) {
        return reading.pos(tokens.readPage(token, owner(caller), reading.shard()), reading.head());
    }

    String write(long pos, Reading reading, Caller caller) {
        return tokens.write(new PageToken(reading.epoch(), reading.shard(), pos), owner(caller));
    }

    private static TokenOwner owner(Caller caller) {
        return new TokenOwner(caller.tenant(), caller.user());
    }
}
