// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.platform.log.append.Head;

/**
 * The unbroken sequences of this instance's own batches, by shard. A room that was read or written in the current run of its
 * shard is known exactly while the shard ends where the run ends, because no other instance has appended then.
 */
final class ShardRuns {
    private final Map<Integer, Run> runs = new HashMap<>();

    /** One sequence. Compared by identity. */
    static final class Run {
        private final long epoch;
        private long pos;

        private Run(Head head) {
            this.epoch = head.epoch();
            this.pos = head.pos();
        }

        private boolean endsAt(Head head) {
            return epoch == head.epoch() && pos == head.pos();
        }
    }

    /** The run that ends at the head of a shard, null if another instance has appended. */
    synchronized @Nullable Run current(Head head) {
        var run = runs.get(head.shard());
        return run != null && run.endsAt(head) ? run : null;
    }

    /** The run that ends at the head of a locked shard; a new one if another instance has appended. */
    synchronized Run continued(Head head) {
        var run = current(head);
        if (run == null) {
            run = new Run(head);
            runs.put(head.shard(), run);
        }
        return run;
    }

    /** A committed batch of this instance, judged at the end of the run, has moved the end of the shard. */
    synchronized void moved(Run run, long pos) {
        run.pos = pos;
    }
}
