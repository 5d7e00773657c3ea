package rookery.platform.log.append;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The database has lost commits, or may have: the log goes on in a new epoch, and nothing is appended before that. */
final class BranchedLogException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The epoch that is over. */
    final long epoch;

    /** The shard that is known to have lost commits, from nobody knows where; null if the database goes on where it was promoted. */
    final transient @Nullable Integer shard;

    BranchedLogException(long epoch, @Nullable Integer shard) {
        super("the log branched in epoch " + epoch + (shard == null ? "" : ", on shard " + shard), null, false, false);
        this.epoch = epoch;
        this.shard = shard;
    }
}
