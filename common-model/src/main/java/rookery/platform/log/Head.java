package rookery.platform.log;

/** The end of a shard: its last position and the epoch it is counted in. */
public record Head(int shard, long epoch, long pos) {}
