// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.platform.instance.Instance;
import rookery.platform.log.append.LogState;

/** The latest question to a log's owner, shared by the tails of this process that ask at the same time. */
final class SharedHeads {
    private @Nullable Question latest;

    /**
     * A question and its answer, which contains all commits before the question.
     *
     * @param owner the owner's instances: processes with several installations exist in tests
     * @param state cached: completes or fails for all tails alike
     */
    record Question(List<Instance> owner, long askedNanos, Mono<LogState> state) {}

    /** Returns the latest question if this owner was asked at or after that time, otherwise a new question to this owner. */
    synchronized Question askedSince(long nanos, LogOwner owner) {
        var question = latest;
        var instances = owner.instances();
        if (question == null || question.askedNanos - nanos < 0 || !question.owner.equals(instances)) {
            question = new Question(instances, System.nanoTime(), owner.state().cache());
            latest = question;
        }
        return question;
    }
}
