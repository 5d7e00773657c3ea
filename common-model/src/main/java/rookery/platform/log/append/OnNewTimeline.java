package rookery.platform.log.append;

/** What the owner of a log does when the database was promoted, restored or replaced since it was last seen. */
public enum OnNewTimeline {
    /** It may have lost commits: the log goes on in a new epoch, and who knows more than it has begins anew. */
    RAISE,
    /** Nothing is appended until an operator has raised the epoch or said that nothing was lost. */
    STOP,
    /** Nothing was lost, such as with standbys that confirm every commit: the new timeline is noted. */
    TRUST
}
