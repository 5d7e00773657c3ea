package rookery.sync.sync;

import org.jspecify.annotations.Nullable;
import rookery.model.token.CountsDoubt;
import rookery.model.token.SyncToken;

/**
 * What a reader believes of unread counts, as their token says. Where they were told something that was not final, any node makes up
 * for it: the one that told it knows the rooms; another one, or one that has forgotten the user, tells the counts of all of them.
 *
 * @param corrections the number of the last correction that they were told by this node
 */
record CountsTold(long corrections, CountsDoubt doubt) {
    /** @param since null for who is told all rooms with this answer */
    static CountsTold before(Poll poll, @Nullable SyncToken since, Changes changes) {
        var unread = poll.inbox.unread();
        var mark = since == null ? null : since.typing();
        var next = changes.next().typing();
        if (mark == null || next == null) {
            return new CountsTold(unread.corrected(), CountsDoubt.NONE);
        }
        if (mark.node() == next.node() && unread.remembersCorrections(mark.corrections())) {
            return new CountsTold(mark.corrections(), mark.doubt());
        }
        // other rules or another ignore list are reason enough for other counts: who saw them change here corrects them
        boolean countsOtherwise = changes.data().stream().anyMatch(item -> DataPart.isInjected(item.type()));
        boolean isDoubtful = mark.doubt() != CountsDoubt.NONE || countsOtherwise;
        return new CountsTold(unread.corrected(), isDoubtful ? CountsDoubt.ALL : CountsDoubt.NONE);
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

    SyncToken in(SyncToken token) {
        var mark = token.typing();
        return mark == null ? token : token.with(mark.withCounts(corrections, doubt));
    }
}
