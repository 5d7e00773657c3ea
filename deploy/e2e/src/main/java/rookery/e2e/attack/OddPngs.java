// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static rookery.e2e.attack.OddPictures.any;
import static rookery.e2e.attack.OddPictures.joined;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import rookery.e2e.attack.OddPictures.OddPicture;

/** PNGs. */
final class OddPngs {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final int PALETTE = 3;
    private static final int RGBA = 6;
    private static final int CHUNKS_BYTES_MAX = 8 << 20;

    private OddPngs() {}

    private static OddPicture picture(String kind, byte[]... parts) {
        return new OddPicture("png-" + kind, joined(SIGNATURE, joined(parts)), "image/png");
    }

    /** A header with a large size, and hardly any data. */
    static OddPicture extreme(RandomGenerator random) {
        int[] sides = {0, 1, 7, 16_384, 16_385, 65_535, 33_000_000, 268_435_456, Integer.MAX_VALUE, -1};
        int width = any(random, sides);
        int height = any(random, sides);
        int depth = any(random, 1, 2, 4, 8, 16, 0, 255);
        int color = any(random, 0, 2, PALETTE, 4, RGBA, 1, 77);
        return picture(
                "extreme",
                header(width, height, depth, color, random.nextInt(3)),
                chunk("PLTE", new byte[any(random, 3, 768, 0, 769)]),
                data(1, random.nextInt(5000)),
                end());
    }

    /** A complete picture of any depth, color type and interlace; some are almost a line. */
    static OddPicture small(RandomGenerator random) {
        int color = any(random, 0, 2, PALETTE, 4, RGBA);
        int depth = color == 0 ? any(random, 1, 2, 4, 8, 16) : color == PALETTE ? any(random, 1, 2, 4, 8) : 8;
        int width = any(random, 1, 2, 9, 400, 1000, 16_384);
        int height = width == 16_384 ? any(random, 1, 9, 60) : any(random, 1, 3, 801);
        return whole("small", width, height, depth, color, random);
    }

    /** Many millions of pixels that compress to a few bytes. */
    static OddPicture large(RandomGenerator random) {
        int side = any(random, 1500, 3100, 4000);
        int depth = any(random, 1, 8, 16);
        return whole("large", side, any(random, 20, 600, side), depth, depth == 1 ? 0 : any(random, 2, RGBA), random);
    }

    private static OddPicture whole(String kind, int width, int height, int depth, int color, RandomGenerator random) {
        int interlace = random.nextInt(2);
        long rowBytes = ((long) width * depth * channels(color) + 7) / 8 + 1;
        long rows = interlace == 0 ? height : 2L * height + 16; // more rows than the seven passes need
        byte[] transparent = random.nextBoolean() ? new byte[0] : chunk("tRNS", new byte[color == 0 ? 2 : 6]);
        byte[] turned = random.nextBoolean() ? new byte[0] : chunk("eXIf", OddJpegs.tiff(random));
        return picture(
                kind,
                header(width, height, depth, color, interlace),
                color == PALETTE ? chunk("PLTE", new byte[768]) : new byte[0],
                transparent,
                turned,
                data(rowBytes, rows),
                end());
    }

    /** Too many or too large chunks. */
    static OddPicture chunks(RandomGenerator random) {
        var some = new ByteArrayOutputStream();
        int bytes = any(random, 0, 1, 300, 1 << 20);
        String type = new String[] {"rooK", "tEXt", "zTXt", "iTXt", "sPLT", "hIST", "iCCP", "eXIf"}[random.nextInt(8)];
        byte[] one = chunk(type, filled(random, bytes));
        int most = any(random, 1, 100, 60_000);
        for (int i = 0; i < most && some.size() + one.length < CHUNKS_BYTES_MAX; i++) {
            some.writeBytes(one);
        }
        int color = any(random, PALETTE, PALETTE, RGBA);
        byte[] lying = random.nextBoolean()
                ? new byte[0]
                : ByteBuffer.allocate(8)
                        .putInt(random.nextInt())
                        .put("rooK".getBytes(US_ASCII))
                        .array();
        return picture(
                "chunks",
                header(500, 500, 8, color, 0),
                chunk("PLTE", new byte[768]),
                some.toByteArray(),
                lying,
                data(501L * channels(color), 500),
                end());
    }

    /** Text and color profiles that decompress to a thousand times their size. */
    static OddPicture bomb(RandomGenerator random) {
        var zipped = deflated(1 << 16, any(random, 10, 300));
        String type = any(random, 0, 1) == 0 ? "zTXt" : "iCCP";
        byte[] text = chunk(type, joined("bomb\0\0".getBytes(US_ASCII), zipped));
        return picture(
                "bomb",
                header(500, 500, 8, PALETTE, 0),
                chunk("PLTE", new byte[768]),
                OddPictures.repeated(text, any(random, 1, 20)),
                data(501, 500),
                end());
    }

    private static byte[] filled(RandomGenerator random, int length) {
        byte[] bytes = new byte[length];
        if (random.nextBoolean()) {
            random.nextBytes(bytes);
        } else {
            Arrays.fill(bytes, (byte) 'a');
        }
        return bytes;
    }

    private static int channels(int color) {
        return switch (color) {
            case 2 -> 3;
            case 4 -> 2;
            case RGBA -> 4;
            default -> 1;
        };
    }

    private static byte[] header(int width, int height, int depth, int color, int interlace) {
        var content = ByteBuffer.allocate(13)
                .putInt(width)
                .putInt(height)
                .put((byte) depth)
                .put((byte) color);
        return chunk("IHDR", content.putShort((short) 0).put((byte) interlace).array());
    }

    private static byte[] end() {
        return chunk("IEND", new byte[0]);
    }

    private static byte[] data(long rowBytes, long rows) {
        return chunk("IDAT", deflated((int) rowBytes, rows));
    }

    /** Compresses rows of zeros. */
    private static byte[] deflated(int rowBytes, long rows) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_SPEED), 1 << 16)) {
            byte[] row = new byte[rowBytes];
            for (long i = 0; i < rows; i++) {
                out.write(row);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] chunk(String type, byte[] content) {
        byte[] name = type.getBytes(US_ASCII);
        var crc = new CRC32();
        crc.update(name);
        crc.update(content);
        var chunk = ByteBuffer.allocate(12 + content.length)
                .putInt(content.length)
                .put(name)
                .put(content);
        return chunk.putInt((int) crc.getValue()).array();
    }
}
