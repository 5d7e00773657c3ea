// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcTransientException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.TransactionException;

/** Distinguishes temporary failures of the database from permanent failures of a statement. */
public final class Failures {
    private static final String LOCK_TIMEOUT = "55P03";
    private static final String QUERY_CANCELLED = "57014";

    private Failures() {}

    /** Whether the database is away or busy, so that the same statement may succeed later. */
    static boolean isPassing(Throwable failure) {
        var cause = NestedExceptionUtils.getMostSpecificCause(failure);
        return failure instanceof DataAccessResourceFailureException
                || failure instanceof TransactionException
                || cause instanceof R2dbcTransientException
                || cause instanceof IOException
                || cause instanceof TimeoutException
                || hasPassingState(cause);
    }

    /** Whether the database is unusable for every statement. */
    public static boolean isAway(Throwable failure) {
        var cause = NestedExceptionUtils.getMostSpecificCause(failure);
        if (isStatementTimeout(failure)) {
            return false; // Spring reports a statement timeout as a failure of the database
        }
        return failure instanceof DataAccessResourceFailureException
                || failure instanceof TransactionException
                || cause instanceof IOException
                || cause instanceof TimeoutException
                || (cause instanceof R2dbcException e
                        && e.getSqlState() != null
                        && e.getSqlState().matches("08...|53...|57P..|25006"));
    }

    /** Whether another transaction has locked the row for longer than lock_timeout. */
    static boolean isLockTimeout(Throwable failure) {
        return isOfState(failure, LOCK_TIMEOUT);
    }

    /** Whether the server has cancelled the statement after statement_timeout. */
    static boolean isStatementTimeout(Throwable failure) {
        return isOfState(failure, QUERY_CANCELLED);
    }

    private static boolean isOfState(Throwable failure, String state) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof R2dbcException e
                && state.equals(e.getSqlState());
    }

    private static boolean hasPassingState(Throwable cause) {
        // 08 connection, 40 deadlock, 53 resources, 57 server stopping or query cancelled, 25P03 idle in transaction,
        // 55P03 lock, 25006 read-only since a fail-over
        return cause instanceof R2dbcException e
                && e.getSqlState() != null
                && e.getSqlState().matches("08...|40...|53...|57...|25P03|55P03|25006");
    }
}
