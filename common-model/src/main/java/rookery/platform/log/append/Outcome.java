// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.util.List;
import rookery.model.error.ApiException;

/** The outcome of one draft of a batch. */
public sealed interface Outcome<A> {
    /** The draft is appended as one unit of these entries, in order, possibly without entries. */
    record Accepted<A>(List<EntryDraft> entries, A answer) implements Outcome<A> {}

    /** The draft is refused, without an effect on other drafts. */
    record Refused<A>(ApiException refusal) implements Outcome<A> {}
}
