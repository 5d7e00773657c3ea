// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.counts;

import rookery.model.token.CountsDoubt;
import rookery.model.token.Mark;
import rookery.sync.answer.Look;

/**
 * The marks of unread counts in a client's token. After provisional counts, any node can make up for them: the same node knows
 * the corrected rooms; another node, or a node that dropped the user from memory, sends the counts of all rooms.
 *
 * @param corrections the number of the last correction that the client got from this node
 */
record CountsMark(long corrections, CountsDoubt doubt) {
    /** Before all corrections: no node remembers that far back. */
    private static final long UNKNOWN = Long.MIN_VALUE;

    static CountsMark before(Look look) {
        var unread = look.inbox().unread();
        var since = look.since();
        if (since == null || look.isComplete() || since.marks().isNone()) {
            return new CountsMark(unread.corrected(), CountsDoubt.NONE);
        }
        long corrections = look.toldHere(Mark.CORRECTIONS, UNKNOWN);
        var doubt = since.marks().countsDoubt();
        if (unread.remembersCorrections(corrections)) {
            return new CountsMark(corrections, doubt);
        }
        // changed rules or a changed ignore list may change all counts; a node that saw the change has corrections
        boolean areSettingsNewer = look.settings().counts().at() > since.userPos();
        boolean isDoubtful = doubt != CountsDoubt.NONE || areSettingsNewer;
        return new CountsMark(unread.corrected(), isDoubtful ? CountsDoubt.ALL : CountsDoubt.NONE);
    }

    /** The doubt for the next token, after an answer with all or some counts, provisional or not. */
    CountsDoubt doubtAfter(boolean hasAllCounts, boolean isGuessed) {
        if (doubt == CountsDoubt.ALL && !hasAllCounts) {
            return CountsDoubt.ALL;
        }
        return isGuessed ? CountsDoubt.GUESSED : CountsDoubt.NONE;
    }
}
