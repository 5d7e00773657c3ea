package rookery.platform.log;

/**
 * The end of a shard: its last position and the epoch it is counted in.
 *
 * @param number of the batch that holds the position; 0 where that is not known
 */
public record Head(int shard, long epoch, long pos, long number) {
    /** Of which nobody asks for the batch. */
    public Head(int shard, long epoch, long pos) {
        this(shard, epoch, pos, 0);
    }
}
