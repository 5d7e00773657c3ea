// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static rookery.e2e.attack.OddPictures.any;
import static rookery.e2e.attack.OddPictures.joined;
import static rookery.e2e.attack.OddPictures.repeated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;
import rookery.e2e.attack.OddPictures.OddPicture;

/**
 * GIFs. Their data are codes of nine bits for eight pixels of one color; the code table is cleared so often that no code
 * becomes longer.
 */
final class OddGifs {
    private static final int CLEAR = 256;
    private static final int END = 257;
    private static final int CODE_BITS = 9;
    private static final int CODES_BETWEEN = 200;
    private static final int BLOCK_BYTES = 255;
    private static final byte[] TRAILER = {0x3B};

    private OddGifs() {}

    private static OddPicture picture(String kind, byte[]... parts) {
        return new OddPicture("gif-" + kind, joined(parts), "image/gif");
    }

    /** Screens and frames of arbitrary size and position, with hardly any data. */
    static OddPicture extreme(RandomGenerator random) {
        int[] sides = {0, 1, 500, 5000, 16_384, 16_385, 65_535};
        byte[] screen = screen(any(random, sides), any(random, sides));
        byte[] frame = frame(any(random, sides), any(random, sides), any(random, sides), any(random, sides), random);
        return picture("extreme", screen, frame, pixels(any(random, 0, 10, 100_000)), TRAILER);
    }

    /** Up to thousands of frames; the first at an arbitrary position. */
    static OddPicture frames(RandomGenerator random) {
        byte[] first = joined(frame(random.nextInt(900), random.nextInt(900), 500, 400, random), pixels(200_000));
        byte[] next = joined(frame(0, 0, 1000, 1000, random), pixels(any(random, 1, 1000)));
        return picture("frames", screen(1000, 1000), first, repeated(next, any(random, 1, 2000)), TRAILER);
    }

    /** Up to thousands of extensions before the picture. */
    static OddPicture blocks(RandomGenerator random) {
        byte[] block = joined(new byte[] {(byte) any(random, 1, 255)}, new byte[] {1});
        byte[] blocks = block[0] == 1 ? block : joined(new byte[] {(byte) BLOCK_BYTES}, new byte[BLOCK_BYTES]);
        byte[] extension = joined(
                new byte[] {0x21, (byte) any(random, 0xFE, 0xFF, 1, 0xF9)},
                repeated(blocks, any(random, 1, 5000)),
                new byte[1]);
        byte[] frame = joined(frame(0, 0, 500, 500, random), pixels(250_000));
        return picture("blocks", screen(500, 500), repeated(extension, any(random, 1, 3)), frame, TRAILER);
    }

    /** Far more pixels than the frame's size. */
    static OddPicture flood(RandomGenerator random) {
        byte[] frame = frame(0, 0, any(random, 1, 500), any(random, 1, 500), random);
        return picture("flood", screen(500, 500), frame, pixels(any(random, 1_000_000, 5_000_000)), TRAILER);
    }

    private static byte[] screen(int width, int height) {
        byte[] bytes = new byte[13 + 3 * 256];
        var screen = little(bytes).put("GIF89a".getBytes(US_ASCII));
        screen.putShort((short) width).putShort((short) height).put((byte) 0xF7);
        return bytes;
    }

    private static byte[] frame(int left, int top, int width, int height, RandomGenerator random) {
        byte[] bytes = new byte[10];
        var frame = little(bytes).put((byte) 0x2C).putShort((short) left).putShort((short) top);
        frame.putShort((short) width).putShort((short) height).put((byte) (random.nextBoolean() ? 0x40 : 0));
        return bytes;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Encodes pixels with one code each. */
    private static byte[] pixels(int number) {
        int codes = number + number / CODES_BETWEEN + 2;
        byte[] data = new byte[codes * CODE_BITS / 8 + 2];
        int at = 0;
        for (int i = 0; i < codes; i++) {
            int code = i == codes - 1 ? END : i % (CODES_BETWEEN + 1) == 0 ? CLEAR : 7;
            for (int bit = 0; bit < CODE_BITS; bit++, at++) {
                data[at / 8] |= (byte) ((code >> bit & 1) << at % 8);
            }
        }
        int blocks = Math.ceilDiv(data.length, BLOCK_BYTES);
        var bytes = ByteBuffer.allocate(2 + data.length + blocks).put((byte) 8);
        for (int i = 0; i < data.length; i += BLOCK_BYTES) {
            int length = Math.min(BLOCK_BYTES, data.length - i);
            bytes.put((byte) length).put(data, i, length);
        }
        return bytes.array();
    }
}
