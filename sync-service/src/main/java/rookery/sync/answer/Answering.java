// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** How the requests of one endpoint are answered: the classic sync or the sliding sync. */
public interface Answering {
    /** Whether the request begins without a token of the logs' current epochs. */
    boolean beginsAnew(Poll poll);

    /** Catches up with the logs for such a request, or refuses the request. */
    Mono<Void> beginAnew(Poll poll);

    /** Whether {@link #all} answers. */
    boolean isComplete(Poll poll);

    /** An answer in parts. */
    Flux<byte[]> all(Poll poll);

    /** The changes since the request's token. Empty if the request must look again. */
    Mono<Answer> changes(Poll poll);

    Mono<byte[]> written(Poll poll, Answer answer);

    /** Continues the wait after changes that need no answer. */
    void waitAfter(Poll poll, Answer unneeded);
}
