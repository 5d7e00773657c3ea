// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.model.id.Shards;
import rookery.model.id.UserId;
import rookery.model.token.Mark;
import rookery.model.token.Marks;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.platform.log.append.EarlierEpochs;
import rookery.platform.log.append.Heads;

/** A token compared with logs in epoch 3; epoch 2 ended at position 20 of the room log, and at 200 of the user log. */
class TokenStateTest {
    private static final UserId ADA = new UserId("@ada:s");
    private static final Marks MARKS = Marks.NONE.at(7).with(Mark.TYPING, 5);
    private static final EarlierEpochs EARLIER_ROOMS = new EarlierEpochs(Map.of(2L, all(20)));
    private static final EarlierEpochs EARLIER_USERS = new EarlierEpochs(Map.of(2L, all(200)));

    private static Positions all(long pos) {
        var positions = Positions.zero(Shards.COUNT);
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            positions = positions.with(shard, pos);
        }
        return positions;
    }

    private static SyncToken token(long roomEpoch, long rooms, long userEpoch, long userPos) {
        return new SyncToken(roomEpoch, userEpoch, userPos, all(rooms), MARKS);
    }

    /** The node is at 30 and 300. */
    private static TokenState state(SyncToken token) {
        return new TokenState(token, ADA, new Heads(3, all(30)), new Heads(3, all(300)), EARLIER_ROOMS, EARLIER_USERS);
    }

    @Test
    void aTokenOfTheCurrentEpochsIsValidAsItIs() {
        var state = state(token(3, 25, 3, 250));
        assertThat(state.isValidForRooms()).isTrue();
        assertThat(state.isValidForUser()).isTrue();
        assertThat(state.isValidFromEarlier()).isFalse();
        assertThat(state.isAhead()).isFalse();
    }

    @Test
    void upToTheEndOfItsEpochAnEarlierTokenMovesToTheCurrentEpochs() {
        var state = state(token(2, 20, 2, 200));
        assertThat(state.isValidFromEarlier()).isTrue();
        assertThat(state.inCurrentEpochs()).isEqualTo(token(3, 20, 3, 200));
    }

    @Test
    void oneEpochMayBeEarlierAlone() {
        assertThat(state(token(2, 20, 3, 250)).inCurrentEpochs()).isEqualTo(token(3, 20, 3, 250));
        assertThat(state(token(3, 25, 2, 200)).inCurrentEpochs()).isEqualTo(token(3, 25, 3, 200));
    }

    @Test
    void beyondTheEndOfItsEpochAnEarlierTokenIsInvalid() {
        var rooms = state(token(2, 21, 2, 200));
        assertThat(rooms.isValidForRooms()).isFalse();
        assertThat(rooms.isValidForUser()).isTrue();
        assertThat(rooms.isValidFromEarlier()).isFalse();
        var user = state(token(2, 20, 2, 201));
        assertThat(user.isValidForRooms()).isTrue();
        assertThat(user.isValidForUser()).isFalse();
        assertThat(user.isValidFromEarlier()).isFalse();
    }

    @Test
    void aForgottenEpochAndAnotherNumberOfShardsAreInvalid() {
        assertThat(state(token(1, 0, 3, 0)).isValidForRooms()).isFalse();
        assertThat(state(token(3, 0, 1, 0)).isValidForUser()).isFalse();
        var fewShards = new SyncToken(3, 3, 0, Positions.zero(1), MARKS);
        assertThat(state(fewShards).isValidForRooms()).isFalse();
    }

    @Test
    void aTokenIsAheadInEitherLog() {
        assertThat(state(token(3, 31, 3, 300)).isAhead()).isTrue();
        assertThat(state(token(3, 30, 3, 301)).isAhead()).isTrue();
        assertThat(state(token(3, 30, 3, 300)).isAhead()).isFalse();
    }

    @Test
    void lostCommitsAreCutOffAndTheRestAndTheMarksStay() {
        var ahead = state(token(3, 50, 3, 500));
        assertThat(ahead.cutBackTo(new Heads(3, all(40)), new Heads(3, all(600))))
                .isEqualTo(token(3, 40, 3, 500));
        assertThat(ahead.cutBackTo(new Heads(3, all(60)), new Heads(3, all(400))))
                .isEqualTo(token(3, 50, 3, 400));
    }

    @Test
    void anotherEpochCutsNothing() {
        var token = token(3, 50, 3, 500);
        assertThat(state(token).cutBackTo(new Heads(4, all(40)), new Heads(3, all(400))))
                .isEqualTo(token);
        assertThat(state(token).cutBackTo(new Heads(3, all(40)), new Heads(4, all(400))))
                .isEqualTo(token);
    }
}
