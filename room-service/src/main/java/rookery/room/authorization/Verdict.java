package rookery.room.authorization;

/** The outcome of the authorization rules for one event. */
public sealed interface Verdict {
    record Allowed() implements Verdict {}

    record Denied(String reason) implements Verdict {}
}
