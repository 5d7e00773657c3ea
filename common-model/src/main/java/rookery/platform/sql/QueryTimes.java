// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

/** Receives a service's waiting times for PostgreSQL, in nanoseconds. */
public interface QueryTimes {
    /** A connection was acquired. */
    void connected(long waited);

    /** A statement has ended, with its last row, an error or a cancellation. */
    void ended(String statement, long took);
}
