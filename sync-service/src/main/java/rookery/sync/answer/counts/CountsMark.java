package rookery.sync.answer.counts;

import rookery.model.token.CountsDoubt;
import rookery.model.token.Mark;
import rookery.sync.answer.Look;

/**
 * What a reader believes of unread counts, as their token says. Where they were told something that was not final, any node makes up
 * for it: the one that told it knows the rooms; another one, or one that has forgotten the user, tells the counts of all of them.
 *
 * @param corrections the number of the last correction that they were told by this node
 */
record CountsMark(long corrections, CountsDoubt doubt) {
    /** Before all corrections, so that nobody remembers those that came after it. */
    private static final long UNKNOWN = Long.MIN_VALUE;

    static CountsMark before(Look look) {
        var unread = look.inbox().unread();
        var since = look.since();
        if (since == null || look.tellsAll() || since.marks().isNone()) {
            return new CountsMark(unread.corrected(), CountsDoubt.NONE);
        }
        long corrections = look.toldHere(Mark.CORRECTIONS, UNKNOWN);
        var doubt = since.marks().countsDoubt();
        if (unread.remembersCorrections(corrections)) {
            return new CountsMark(corrections, doubt);
        }
        // other rules or another ignore list are reason enough for other counts: who saw them change here corrects them
        boolean countsOtherwise = look.settings().counts().at() > since.userPos();
        boolean isDoubtful = doubt != CountsDoubt.NONE || countsOtherwise;
        return new CountsMark(unread.corrected(), isDoubtful ? CountsDoubt.ALL : CountsDoubt.NONE);
    }

    /**
     * What any node must know after an answer.
     *
     * @param toldAll whether it told the counts of all rooms
     * @param isGuessed whether what it told may turn out to be wrong
     */
    CountsDoubt doubtAfter(boolean toldAll, boolean isGuessed) {
        if (doubt == CountsDoubt.ALL && !toldAll) {
            return CountsDoubt.ALL;
        }
        return isGuessed ? CountsDoubt.GUESSED : CountsDoubt.NONE;
    }
}
