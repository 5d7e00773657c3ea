// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static rookery.e2e.attack.OddPictures.any;
import static rookery.e2e.attack.OddPictures.joined;
import static rookery.e2e.attack.OddPictures.repeated;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import rookery.e2e.attack.OddPictures.OddPicture;

/** JPEGs. */
final class OddJpegs {
    private static final int MARKER = 0xFF;
    private static final int[] SIDES = {0, 1, 8, 4000, 6300, 8000, 16_384, 16_385, 65_500, 65_535};
    private static final int SEGMENTS_BYTES_MAX = 4 << 20;

    private OddJpegs() {}

    private static OddPicture picture(String kind, byte[]... parts) {
        return new OddPicture("jpeg-" + kind, joined(parts), "image/jpeg");
    }

    private static byte[] ordinary(int width, int height, boolean isProgressive) {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var graphics = image.createGraphics();
        graphics.setPaint(new GradientPaint(0, 0, Color.RED, width, height, Color.BLUE));
        graphics.fillRect(0, 0, width, height);
        graphics.dispose();
        var writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        var parameters = writer.getDefaultWriteParam();
        parameters.setProgressiveMode(isProgressive ? ImageWriteParam.MODE_DEFAULT : ImageWriteParam.MODE_DISABLED);
        var bytes = new ByteArrayOutputStream();
        try (var out = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), parameters);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    private static byte[] any(RandomGenerator random) {
        return ordinary(OddPictures.any(random, 1, 33, 500), OddPictures.any(random, 1, 17, 400), random.nextBoolean());
    }

    private static int frame(byte[] jpeg) {
        String text = new String(jpeg, ISO_8859_1);
        return Math.max(text.indexOf("\u00FF\u00C0"), text.indexOf("\u00FF\u00C2"));
    }

    private static byte[] withSides(byte[] jpeg, int width, int height) {
        int frame = frame(jpeg);
        ByteBuffer.wrap(jpeg).putShort(frame + 5, (short) height).putShort(frame + 7, (short) width);
        return jpeg;
    }

    /** A frame size larger than the data, in one scan or in several. */
    static OddPicture extreme(RandomGenerator random) {
        byte[] jpeg = any(random);
        int side = OddPictures.any(random, SIDES);
        int other = random.nextBoolean() ? side : OddPictures.any(random, SIDES);
        return picture("extreme", withSides(jpeg, side, other));
    }

    /** Contradicting samples, bit depths, kinds of frames and numbers of components. */
    static OddPicture samples(RandomGenerator random) {
        byte[] jpeg = any(random);
        int frame = frame(jpeg);
        if (random.nextBoolean()) {
            withSides(jpeg, OddPictures.any(random, SIDES), OddPictures.any(random, SIDES));
        }
        int at = OddPictures.any(random, 1, 4, 9, 11, 14, 17);
        jpeg[frame + at] = (byte) (at == 1 ? 0xC0 + random.nextInt(16) : random.nextInt(256));
        int scan = new String(jpeg, ISO_8859_1).indexOf("\u00FF\u00DA");
        if (random.nextInt(4) == 0) {
            jpeg[scan + 4] = (byte) OddPictures.any(random, 0, 1, 2, 4);
        }
        return picture("samples", jpeg);
    }

    /** The last scan, repeated many times. */
    static OddPicture scans(RandomGenerator random) {
        byte[] jpeg = ordinary(OddPictures.any(random, 400, 1600), 1200, random.nextInt(4) > 0);
        int last = new String(jpeg, ISO_8859_1).lastIndexOf("\u00FF\u00DA");
        byte[] scan = Arrays.copyOfRange(jpeg, last, jpeg.length - 2);
        return picture(
                "scans",
                Arrays.copyOf(jpeg, jpeg.length - 2),
                repeated(scan, OddPictures.any(random, 2, 20, 500)),
                Arrays.copyOfRange(jpeg, jpeg.length - 2, jpeg.length));
    }

    /** Exif of any orientation, and malformed Exif. */
    static OddPicture exif(RandomGenerator random) {
        byte[] jpeg = any(random);
        byte[] exif = segment(0xE1, joined("Exif\0\0".getBytes(US_ASCII), tiff(random)));
        return picture("exif", Arrays.copyOf(jpeg, 2), repeated(exif, OddPictures.any(random, 1, 1, 3)), rest(jpeg));
    }

    /** A TIFF file with an orientation, or with a reference outside of the file or to itself. */
    static byte[] tiff(RandomGenerator random) {
        var tiff = ByteBuffer.allocate(26).put((random.nextBoolean() ? "MM" : "II").getBytes(US_ASCII));
        if (tiff.get(0) == 'I') {
            tiff.order(ByteOrder.LITTLE_ENDIAN);
        }
        tiff.putShort((short) 42).putInt(random.nextInt(4) > 0 ? 8 : random.nextInt());
        tiff.putShort((short) (random.nextInt(4) > 0 ? 1 : -1)).putShort((short) 0x0112);
        tiff.putShort((short) 3).putInt(1).putShort((short) random.nextInt(11));
        return random.nextInt(4) > 0 ? tiff.array() : Arrays.copyOf(tiff.array(), random.nextInt(26));
    }

    /** Too many segments, bytes between segments, tables without a picture, and a picture after the end. */
    static OddPicture segments(RandomGenerator random) {
        byte[] jpeg = any(random);
        byte[] start = Arrays.copyOf(jpeg, 2);
        byte[] one = segment(
                OddPictures.any(random, 0xE2, 0xFE, 0xE1, 0xEE), new byte[OddPictures.any(random, 0, 20, 65_000)]);
        byte[] many = repeated(one, OddPictures.any(random, 1, 50, SEGMENTS_BYTES_MAX / one.length));
        byte[] profile = segment(0xE2, joined("ICC_PROFILE\0\1\1".getBytes(US_ASCII), new byte[3000]));
        return switch (random.nextInt(5)) {
            case 0 -> picture("segments", start, many, rest(jpeg));
            case 1 -> picture("segments", start, profile, rest(jpeg));
            case 2 -> picture("segments", start, new byte[OddPictures.any(random, 1, 1000, 3 << 20)], rest(jpeg));
            case 3 -> picture("segments", start, many, new byte[] {(byte) MARKER, (byte) 0xD9}, jpeg);
            default -> picture("segments", jpeg, repeated(jpeg, 20));
        };
    }

    private static byte[] rest(byte[] jpeg) {
        return Arrays.copyOfRange(jpeg, 2, jpeg.length);
    }

    private static byte[] segment(int marker, byte[] content) {
        return ByteBuffer.allocate(4 + content.length)
                .put((byte) MARKER)
                .put((byte) marker)
                .putShort((short) (content.length + 2))
                .put(content)
                .array();
    }
}
