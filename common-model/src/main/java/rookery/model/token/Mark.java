// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

/**
 * The parts of a sync token beside positions. Each has a fixed place in tokens, which outlive a release: a new mark goes to the
 * end, where older releases do not look, and no place is reused.
 */
public enum Mark {
    /** The run of the sync node that wrote the token. The marks of a node have a meaning for that run only. */
    NODE(0, true),
    /** The number of typing changes that the node had counted. */
    TYPING(1, true),
    /** The number of presence changes that the node had counted. */
    PRESENCE(2, true),
    /** The number of the node's last correction of the user's unread counts. */
    CORRECTIONS(3, true),
    /** The state of the unread counts that the client has received, for any node: a {@link CountsDoubt}. */
    COUNTS_DOUBT(4, false),
    /**
     * The position of the last to-device message that the device has received, while more wait before the token's position in the
     * user log; else 0.
     */
    TO_DEVICE(5, false),
    /** 1 if the client has received provisional push rules or none, and must receive the real rules; else 0. */
    RULES_DOUBT(6, false),
    /** The number of the state of a sliding sync connection that belongs to the token; 0 in tokens of the other sync. */
    CONNECTION(7, false);

    /** The place among the marks of a token, from 0. */
    final int place;

    /** Whether the mark has no meaning for another run or another node. */
    final boolean isOfNode;

    Mark(int place, boolean isOfNode) {
        this.place = place;
        this.isOfNode = isOfNode;
    }
}
