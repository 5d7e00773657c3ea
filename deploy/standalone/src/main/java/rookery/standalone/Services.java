package rookery.standalone;

/** The seven services, in whatever processes they run. */
sealed interface Services extends AutoCloseable permits OneJvm, Cluster {
    /**
     * Starts all, and complains when one of them ends before all say that they are ready.
     *
     * @param check is called while waiting, and throws when waiting has become pointless
     */
    void start(Runnable check);

    /** Stops all at the same time and returns when they are gone. */
    @Override
    void close();
}
