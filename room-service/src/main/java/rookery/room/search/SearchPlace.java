// SPDX-License-Identifier: Apache-2.0
package rookery.room.search;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.room.search.SearchRequest.Grouping;
import rookery.room.search.SearchRows.Hit;

/**
 * A position in the results of a group, or of all results, after which the next page begins. New messages do not shift the page.
 */
record SearchPlace(
        double weight,
        long ts,
        long pos,
        int shard,
        @Nullable Group group) {
    static final char KIND = 'R';
    private static final byte VERSION = 1;
    private static final byte ALL = 0;
    private static final int VALUE_BYTES_MAX = 120; // keeps the token within 255 characters

    /** The results of a single room or sender. */
    record Group(Grouping by, String value) {}

    /** The position after a result. */
    static SearchPlace after(Hit hit, boolean recent, @Nullable Group group) {
        return new SearchPlace(recent ? 0 : hit.rank(), hit.ts(), hit.pos(), hit.shard(), group);
    }

    /** Null where the group's name is too long for a token. */
    byte @Nullable [] bytes() {
        byte[] value = group == null ? new byte[0] : group.value.getBytes(StandardCharsets.UTF_8);
        if (value.length > VALUE_BYTES_MAX) {
            return null;
        }
        byte by = group == null ? ALL : group.by == Grouping.ROOM ? (byte) 1 : 2;
        return ByteBuffer.allocate(30 + value.length)
                .put(VERSION)
                .putDouble(weight)
                .putLong(ts)
                .putLong(pos)
                .putInt(shard)
                .put(by)
                .put(value)
                .array();
    }

    /** M_INVALID_PARAM for malformed bytes. */
    static SearchPlace of(byte[] bytes) {
        var in = ByteBuffer.wrap(bytes);
        try {
            if (in.get() != VERSION) {
                throw refused();
            }
            double weight = in.getDouble();
            long ts = in.getLong();
            long pos = in.getLong();
            int shard = in.getInt();
            byte by = in.get();
            String value = StandardCharsets.UTF_8.decode(in).toString();
            var group = by == ALL ? null : new Group(by == 1 ? Grouping.ROOM : Grouping.SENDER, value);
            return new SearchPlace(weight, ts, pos, shard, group);
        } catch (BufferUnderflowException e) {
            throw refused();
        }
    }

    private static ApiException refused() {
        return new ApiException(ErrorCode.M_INVALID_PARAM, "not a token that this server gave to you");
    }
}
