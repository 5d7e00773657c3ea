package rookery.platform.log.append;

/** What the owner of a log tells its followers of it. */
public record LogState(Heads heads, EarlierEpochs earlier) {}
