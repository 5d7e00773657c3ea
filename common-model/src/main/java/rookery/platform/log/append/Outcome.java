package rookery.platform.log.append;

import java.util.List;
import rookery.model.error.ApiException;

/** What became of one draft of a batch. */
public sealed interface Outcome<A> {
    /** It becomes a unit of these entries, in this order, and answers this; no entries are legal. */
    record Accepted<A>(List<EntryDraft> entries, A answer) implements Outcome<A> {}

    /** It is refused, and no other draft is touched by that. */
    record Refused<A>(ApiException refusal) implements Outcome<A> {}
}
