package rookery.platform.sql;

/** Is told how long a service waits for PostgreSQL; all times are in nanoseconds. */
public interface QueryTimes {
    /** Somebody has got a connection of the pool. */
    void connected(long waited);

    /** A statement has ended, with its last row, an error, or because nobody wants its rows any more. */
    void ended(String statement, long took);
}
