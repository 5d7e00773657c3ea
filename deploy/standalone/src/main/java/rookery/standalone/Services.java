package rookery.standalone;

/** The seven services, in whatever processes they run. */
sealed interface Services extends AutoCloseable permits OneJvm, Cluster {
    /**
     * Starts all, and complains when one of them ends before all say that they are ready.
     *
     * @param check is called while waiting, and throws when waiting has become pointless
     */
    void start(Runnable check);

    /**
     * Starts one more instance. Returns it when it is ready and the others know of it; complains when services cannot be added here, or
     * it does not get ready.
     */
    Placement add(Service service);

    /** Stops an instance that is not the only one of its service, without a request being lost; complains when it cannot. */
    void stop(String name);

    /** Stops all at the same time and returns when they are gone. */
    @Override
    void close();
}
