// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

/** The seven services, in one JVM or in several. */
sealed interface Services extends AutoCloseable permits OneJvm, Cluster {
    /**
     * Starts all services. Throws a complaint when one ends before all are ready.
     *
     * @param check called while waiting; throws when further waiting is pointless
     */
    void start(Runnable check);

    /**
     * Starts one more instance. Returns its place when the instance is ready and listed; throws a complaint when the run has no
     * cluster or the instance fails.
     */
    Placement add(Service service);

    /** Stops an instance without losing a request. Throws a complaint for the last instance of a service. */
    void stop(String name);

    /** Stops all services concurrently. Returns when they have ended. */
    @Override
    void close();
}
