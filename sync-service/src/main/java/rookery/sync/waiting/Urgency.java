// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

/** How soon news must reach a waiting request, the least urgent first. */
public enum Urgency {
    /** No news. */
    NOTHING,
    /** Receipts and typing of others, and presence: gathered, and sent with any answer. */
    LATER,
    /** Events of joined rooms: at once, or on a busy node a moment after the last answer. */
    SOON,
    /** All other news: own receipts, memberships, account data, keys and messages of devices, corrected counts. */
    NOW;

    public Urgency max(Urgency other) {
        return compareTo(other) < 0 ? other : this;
    }
}
