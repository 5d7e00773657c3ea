// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.platform.log.append.LogState;

/** The latest question to a log's owner, shared by the tails of this process that ask at the same time. */
final class SharedHeads {
    private @Nullable Question latest;

    /**
     * A question and its answer, which contains all commits before the question.
     *
     * @param state cached: completes or fails for all tails alike
     */
    record Question(long askedNanos, Mono<LogState> state) {}

    /** Returns the latest question if asked at or after that time, otherwise a new question to this owner. */
    synchronized Question askedSince(long nanos, LogOwner owner) {
        var question = latest;
        if (question == null || question.askedNanos - nanos < 0) {
            question = new Question(System.nanoTime(), owner.state().cache());
            latest = question;
        }
        return question;
    }
}
