package rookery.room.authorization;

/** What the rules say about one event. */
public sealed interface Verdict {
    record Allowed() implements Verdict {}

    record Denied(String reason) implements Verdict {}
}
