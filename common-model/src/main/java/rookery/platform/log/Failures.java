package rookery.platform.log;

import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcTransientException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.TransactionException;

/** Tells failures that pass by themselves from those that come again however often one tries. */
final class Failures {
    private static final String LOCK_TIMEOUT = "55P03";

    private Failures() {}

    /** The database is away or busy: nothing is wrong with what was asked. */
    static boolean isPassing(Throwable failure) {
        var cause = NestedExceptionUtils.getMostSpecificCause(failure);
        return failure instanceof DataAccessResourceFailureException
                || failure instanceof TransactionException
                || cause instanceof R2dbcTransientException
                || cause instanceof IOException
                || cause instanceof TimeoutException
                || hasPassingState(cause);
    }

    /** Another transaction holds the row, for longer than lock_timeout. */
    static boolean isLockTimeout(Throwable failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof R2dbcException e
                && LOCK_TIMEOUT.equals(e.getSqlState());
    }

    private static boolean hasPassingState(Throwable cause) {
        // 08 connection, 40 deadlock, 53 resources, 57 server stopping or query cancelled, 25P03 idle in transaction,
        // 55P03 lock, 25006 read-only since a fail-over
        return cause instanceof R2dbcException e
                && e.getSqlState() != null
                && e.getSqlState().matches("08...|40...|53...|57...|25P03|55P03|25006");
    }
}
