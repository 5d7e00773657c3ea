// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Unusual pictures in the formats with thumbnails: extremes of width, height, depth, interlace, frames and scans; headers that
 * contradict the data; truncated or changed files; files with large metadata. The same seed makes the same pictures.
 */
public final class OddPictures {
    private static final List<Function<RandomGenerator, OddPicture>> KINDS = List.of(
            OddPngs::extreme,
            OddPngs::small,
            OddPngs::large,
            OddPngs::chunks,
            OddPngs::bomb,
            OddJpegs::extreme,
            OddJpegs::samples,
            OddJpegs::scans,
            OddJpegs::exif,
            OddJpegs::segments,
            OddGifs::extreme,
            OddGifs::frames,
            OddGifs::blocks,
            OddGifs::flood);

    private static final int CUT = 0;
    private static final int CHANGED = 1;

    private OddPictures() {}

    /**
     * A file to upload.
     *
     * @param name the kind and number, such as {@code png-extreme-17}
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record OddPicture(String name, byte[] bytes, String contentType) {}

    /** Makes pictures of all kinds in turn; about a fourth of them are truncated or changed. */
    public static Stream<OddPicture> of(long seed, int number) {
        return Stream.iterate(0, i -> i + 1).limit(number).map(i -> one(seed, i));
    }

    private static OddPicture one(long seed, int i) {
        var random = new SplittableRandom(seed * 1_000_003 + i);
        var picture = KINDS.get(i % KINDS.size()).apply(random);
        String name = picture.name + "-" + i;
        return switch (random.nextInt(8)) {
            case CUT -> new OddPicture(name + "-cut", cut(picture.bytes, random), picture.contentType);
            case CHANGED -> new OddPicture(name + "-changed", changed(picture.bytes, random), picture.contentType);
            default -> new OddPicture(name, picture.bytes, picture.contentType);
        };
    }

    private static byte[] cut(byte[] bytes, RandomGenerator random) {
        return Arrays.copyOf(bytes, Math.max(12, random.nextInt(bytes.length)));
    }

    private static byte[] changed(byte[] bytes, RandomGenerator random) {
        byte[] changed = bytes.clone();
        for (int i = random.nextInt(1, 9); i > 0; i--) {
            changed[random.nextInt(8, Math.min(bytes.length, random.nextBoolean() ? 200 : bytes.length))] =
                    (byte) random.nextInt();
        }
        return changed;
    }

    /** A random value of the given ones. */
    static int any(RandomGenerator random, int... values) {
        return values[random.nextInt(values.length)];
    }

    static byte[] joined(byte[]... parts) {
        var all = ByteBuffer.allocate(
                Stream.of(parts).mapToInt(part -> part.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    static byte[] repeated(byte[] part, int times) {
        var all = ByteBuffer.allocate(part.length * times);
        for (int i = 0; i < times; i++) {
            all.put(part);
        }
        return all.array();
    }
}
