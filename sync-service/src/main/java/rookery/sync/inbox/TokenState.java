// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import rookery.model.id.Shards;
import rookery.model.id.UserId;
import rookery.model.token.SyncToken;
import rookery.platform.log.append.EarlierEpochs;
import rookery.platform.log.append.Heads;

/**
 * A client's token compared with the logs (design.md 12, Lost commits). A token of an earlier epoch stays valid if its positions
 * are not beyond the end of the epoch; otherwise the token names lost commits.
 *
 * @param rooms a node's positions in the room log
 * @param users a node's positions in the user log
 */
public record TokenState(
        SyncToken token,
        UserId user,
        Heads rooms,
        Heads users,
        EarlierEpochs earlierRooms,
        EarlierEpochs earlierUsers) {
    /** Whether the token's positions in the room log are valid. */
    public boolean isValidForRooms() {
        return token.rooms().shards() == rooms.positions().shards()
                && (token.roomEpoch() >= rooms.epoch() || earlierRooms.hold(token.roomEpoch(), token.rooms()));
    }

    /** Whether the token's position in the user log is valid. */
    public boolean isValidForUser() {
        return token.userEpoch() >= users.epoch()
                || earlierUsers.hold(token.userEpoch(), Shards.of(user), token.userPos());
    }

    /** Whether the token is of an earlier epoch, and still valid. */
    public boolean isValidFromEarlier() {
        boolean isCurrent = token.roomEpoch() >= rooms.epoch() && token.userEpoch() >= users.epoch();
        return !isCurrent && isValidForRooms() && isValidForUser();
    }

    /** The token in the current epochs, with the same positions. */
    public SyncToken inCurrentEpochs() {
        return new SyncToken(
                Math.max(token.roomEpoch(), rooms.epoch()),
                Math.max(token.userEpoch(), users.epoch()),
                token.userPos(),
                token.rooms(),
                token.marks());
    }

    /** Whether the token is ahead of the node: the node may be behind, or the log has lost commits. */
    public boolean isAhead() {
        return !rooms.positions().isAtLeast(token.rooms()) || users.positions().at(Shards.of(user)) < token.userPos();
    }

    /** The token cut back to the ends of the logs, without lost commits; unchanged in another epoch. */
    public SyncToken cutBackTo(Heads roomHeads, Heads userHeads) {
        return token.roomEpoch() != roomHeads.epoch() || token.userEpoch() != userHeads.epoch()
                ? token
                : new SyncToken(
                        token.roomEpoch(),
                        token.userEpoch(),
                        Math.min(token.userPos(), userHeads.positions().at(Shards.of(user))),
                        token.rooms().min(roomHeads.positions()),
                        token.marks());
    }
}
