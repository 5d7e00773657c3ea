// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The database may have lost commits: the log must continue in a new epoch before anything is appended. */
final class BranchedLogException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The last epoch before the loss. */
    final long epoch;

    /** The shard that has lost commits, from an unknown position on; null if the database was promoted. */
    final transient @Nullable Integer shard;

    BranchedLogException(long epoch, @Nullable Integer shard) {
        super("the log branched in epoch " + epoch + (shard == null ? "" : ", on shard " + shard), null, false, false);
        this.epoch = epoch;
        this.shard = shard;
    }
}
