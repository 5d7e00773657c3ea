// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

/**
 * A request of a second {@code deploy/run} to the run on the same data folder.
 *
 * @param subject a service for {@link Verb#ADD}, otherwise an instance such as {@code sync-service-2}
 */
record ControlRequest(Verb verb, String subject) {
    enum Verb {
        /** Starts one more instance of the service. */
        ADD,
        /** Stops the instance gracefully and for good. */
        STOP,
        /** Kills the process, which is then restarted. */
        KILL
    }
}
