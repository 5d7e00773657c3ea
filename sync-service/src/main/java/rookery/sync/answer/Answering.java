// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** How the requests of one endpoint are answered: the classic sync or the sliding sync. */
public interface Answering {
    /** Catches up with the logs for a request without a token of the logs' current epochs, or refuses the request. */
    Mono<Void> beginAnew(Poll poll);

    /** Whether {@link #all} answers. */
    default boolean isComplete(Poll poll) {
        return false;
    }

    /** An answer in parts. */
    default Flux<byte[]> all(Poll poll) {
        throw new UnsupportedOperationException("answers are never complete");
    }

    /** The changes since the request's token. Empty if the request must look again. */
    Mono<Answer> changes(Poll poll);

    Mono<byte[]> written(Poll poll, Answer answer);
}
