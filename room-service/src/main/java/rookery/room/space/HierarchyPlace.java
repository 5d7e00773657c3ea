// SPDX-License-Identifier: Apache-2.0
package rookery.room.space;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;

/**
 * The position of a walk through a space, from which the next page continues.
 *
 * @param madeMillis time of the token
 * @param question hash of the request's parameters, which must not change
 * @param rooms number of rooms returned so far
 * @param last hash of the last returned room, which is looked up in case rooms before it came or went
 */
record HierarchyPlace(long madeMillis, long question, int rooms, long last) {
    static final char KIND = 'H';
    private static final byte VERSION = 1;
    private static final long LIFE_MILLIS = 600_000;

    byte[] bytes() {
        return ByteBuffer.allocate(29)
                .put(VERSION)
                .putLong(madeMillis)
                .putLong(question)
                .putInt(rooms)
                .putLong(last)
                .array();
    }

    /** M_INVALID_PARAM for a malformed token, a token older than ten minutes, or a token of another question. */
    static HierarchyPlace of(byte[] bytes, long question, long nowMillis) {
        var in = ByteBuffer.wrap(bytes);
        try {
            byte version = in.get();
            var place = new HierarchyPlace(in.getLong(), in.getLong(), in.getInt(), in.getLong());
            if (version == VERSION && place.question == question && nowMillis - place.madeMillis <= LIFE_MILLIS) {
                return place;
            }
        } catch (BufferUnderflowException e) {
            // too short for a token
        }
        throw new ApiException(
                ErrorCode.M_INVALID_PARAM, "this token belongs to another request, or is older than ten minutes");
    }

    static long question(RoomId root, boolean suggestedOnly, int depthMax) {
        return hash(suggestedOnly + "|" + depthMax + "|" + root.value());
    }

    static long hash(RoomId room) {
        return hash(room.value());
    }

    private static long hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
