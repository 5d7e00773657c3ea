// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import io.r2dbc.spi.Readable;
import rookery.platform.sql.RequiredColumn;

/**
 * The end of a shard: its epoch and last position.
 *
 * @param number the batch number of the last position; 0 if unknown
 */
public record Head(int shard, long epoch, long pos, long number) {
    public Head(int shard, long epoch, long pos) {
        this(shard, epoch, pos, 0);
    }

    /** Reads the columns {@code shard}, {@code epoch}, {@code pos} and {@code number}. */
    public static Head of(Readable row) {
        return new Head(
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class),
                RequiredColumn.of(row, "number", Long.class));
    }
}
