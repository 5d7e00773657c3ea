package rookery.platform.log;

import rookery.model.token.Positions;

/** The ends of all shards of a log, read in one statement. */
public record Heads(long epoch, Positions positions) {}
