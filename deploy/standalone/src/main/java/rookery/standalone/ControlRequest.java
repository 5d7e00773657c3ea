package rookery.standalone;

/**
 * What a second {@code deploy/run} wants of the one that runs on the same data folder.
 *
 * @param subject of {@link Verb#ADD} a service, otherwise an instance such as {@code sync-service-2}
 */
record ControlRequest(Verb verb, String subject) {
    enum Verb {
        /** One more instance of the service. */
        ADD,
        /** The instance ends in good order, and does not come back. */
        STOP,
        /** The process ends at once, as by a fault, and is started again. */
        KILL
    }
}
