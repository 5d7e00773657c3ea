// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import org.springframework.stereotype.Component;
import rookery.model.caller.Caller;
import rookery.model.token.PageToken;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** Converts positions of a room from and to the tokens of clients (contract.md 2.8, 10.2). */
@Component
public class PageTokens {
    private final TokenCodec tokens;

    PageTokens(TokenCodec tokens) {
        this.tokens = tokens;
    }

    /** The token of the position after {@code pos} in the room's shard. */
    public String write(long pos, ReaderInRoom reading, Caller caller) {
        return tokens.write(new PageToken(reading.epoch(), reading.shard(), pos), owner(caller));
    }

    /**
     * The position of a page token or sync token; {@code lost} for a position that was lost when the log was restored.
     * M_INVALID_PARAM for a malformed token and for a token of another user.
     */
    public long pos(String token, ReaderInRoom reading, Caller caller, long lost) {
        return reading.pos(tokens.readPage(token, owner(caller), reading.shard()), lost);
    }

    private static TokenOwner owner(Caller caller) {
        return new TokenOwner(caller.tenant(), caller.user());
    }
}
