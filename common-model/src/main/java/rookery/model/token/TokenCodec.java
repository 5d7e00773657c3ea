// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Writes sync and page tokens as text and reads them: {@code s…} or {@code t…}, URL-safe, at most 255 characters.
 *
 * <p>The layout has a version. Within one version, additions go to the end: during a rolling upgrade each release reads the
 * tokens of the other, and the older release ignores the additions.
 */
public final class TokenCodec {
    private static final char SYNC = 's';
    private static final char PAGE = 't';
    private static final byte VERSION = 1;
    private static final int SHARDS_MAX = 1024;
    private static final int VARINT_BYTES_MAX = 10;
    /** A release with only these marks reads all of them or none. */
    private static final int MARKS_MIN = 5;

    private static final int MARKS_MAX = 64;

    private final TokenSeal seal;

    /** @param key the installation's token key, the same on every node; at least 32 bytes */
    public TokenCodec(byte[] key, RandomGenerator random) {
        this.seal = new TokenSeal(key, random);
    }

    public String write(SyncToken token, TokenOwner owner) {
        long[] marks = token.marks().values();
        var out = ByteBuffer.allocate(
                1 + VARINT_BYTES_MAX * (4 + token.rooms().shards() + Math.max(marks.length, MARKS_MIN)));
        out.put(VERSION);
        putVarint(out, token.roomEpoch());
        putVarint(out, token.userEpoch());
        putVarint(out, token.userPos());
        putVarint(out, token.rooms().shards());
        long before = 0;
        for (long pos : token.rooms().toArray()) {
            putVarint(out, zigzag(pos - before)); // shards fill evenly, so differences are shorter than positions
            before = pos;
        }
        if (marks.length > 0) {
            for (long mark : Arrays.copyOf(marks, Math.max(marks.length, MARKS_MIN))) {
                putVarint(out, mark);
            }
        }
        return seal.seal(SYNC, out.flip(), owner);
    }

    public String write(PageToken token, TokenOwner owner) {
        var out = ByteBuffer.allocate(1 + VARINT_BYTES_MAX * 3);
        out.put(VERSION);
        putVarint(out, token.epoch());
        putVarint(out, token.shard());
        putVarint(out, token.pos());
        return seal.seal(PAGE, out.flip(), owner);
    }

    /** M_INVALID_PARAM for text that is not a sync token of this owner. */
    public SyncToken readSync(String text, TokenOwner owner) {
        return read(SYNC, text, owner, TokenCodec::sync);
    }

    private static SyncToken sync(ByteBuffer in) {
        long roomEpoch = getVarint(in);
        long userEpoch = getVarint(in);
        long userPos = getVarint(in);
        long shards = getVarint(in);
        if (shards < 0 || shards > SHARDS_MAX) {
            throw TokenSeal.refused();
        }
        long[] positions = new long[(int) shards];
        long before = 0;
        for (int shard = 0; shard < positions.length; shard++) {
            before += unzigzag(getVarint(in));
            positions[shard] = before;
        }
        return new SyncToken(roomEpoch, userEpoch, userPos, Positions.of(positions), marks(in));
    }

    /** Reads all marks in the token: an older release wrote fewer, a newer release more. */
    private static Marks marks(ByteBuffer in) {
        long[] marks = new long[MARKS_MAX];
        for (int i = 0; in.hasRemaining() && i < MARKS_MAX; i++) {
            marks[i] = getVarint(in);
        }
        return Marks.of(marks);
    }

    /**
     * Reads a place in a room from a page token, or from a sync token, as the position of the room's shard.
     *
     * @param shard the room's shard; M_INVALID_PARAM for a page token of another shard
     */
    public PageToken readPage(String text, TokenOwner owner, int shard) {
        if (!text.isEmpty() && text.charAt(0) == SYNC) {
            var sync = readSync(text, owner);
            if (shard >= sync.rooms().shards()) {
                throw TokenSeal.refused();
            }
            return new PageToken(sync.roomEpoch(), shard, sync.rooms().at(shard));
        }
        var token = read(PAGE, text, owner, in -> new PageToken(getVarint(in), (int) getVarint(in), getVarint(in)));
        if (token.shard() != shard) {
            throw TokenSeal.refused();
        }
        return token;
    }

    /** Writes a token that only the writing service can read; {@code kind} is its own letter, in upper case. */
    public String write(char kind, byte[] content, TokenOwner owner) {
        return seal.seal(kind, ByteBuffer.wrap(content), owner);
    }

    /** M_INVALID_PARAM for text that is not a token of this kind and owner. */
    public byte[] read(char kind, String text, TokenOwner owner) {
        var content = open(kind, text, owner);
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return bytes;
    }

    private <T> T read(char kind, String text, TokenOwner owner, Function<ByteBuffer, T> layout) {
        var in = open(kind, text, owner);
        try {
            if (in.get() != VERSION) {
                throw TokenSeal.refused();
            }
            return layout.apply(in);
        } catch (BufferUnderflowException e) {
            throw TokenSeal.refused();
        }
    }

    private ByteBuffer open(char kind, String text, TokenOwner owner) {
        if (text.isEmpty() || text.charAt(0) != kind) {
            throw TokenSeal.refused();
        }
        return seal.open(text, owner);
    }

    private static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    private static long unzigzag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }

    private static void putVarint(ByteBuffer out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.put((byte) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }

    private static long getVarint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = in.get();
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw TokenSeal.refused();
    }
}
