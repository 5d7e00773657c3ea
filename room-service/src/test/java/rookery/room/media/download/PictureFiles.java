// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Pictures as no camera makes them. */
public final class PictureFiles {
    private static final int PNG_HEADER_BYTES = 33;
    private static final int PNG_END_BYTES = 12;

    private PictureFiles() {}

    /** A picture in quarters: red, green (at the end of the first row), blue (at the end of the first column) and white. */
    public static byte[] quarters(int width, int height, String format) {
        try {
            var bytes = new ByteArrayOutputStream();
            ImageIO.write(quarters(width, height), format, bytes);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BufferedImage quarters(int width, int height) {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        graphics.setColor(Color.RED);
        graphics.fillRect(0, 0, width / 2, height / 2);
        graphics.setColor(Color.GREEN);
        graphics.fillRect(width / 2, 0, width - width / 2, height / 2);
        graphics.setColor(Color.BLUE);
        graphics.fillRect(0, height / 2, width / 2, height - height / 2);
        graphics.dispose();
        return image;
    }

    static byte[] progressive(int width, int height) {
        var writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        var parameters = writer.getDefaultWriteParam();
        parameters.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
        var bytes = new ByteArrayOutputStream();
        try (var out = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(quarters(width, height), null, null), parameters);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    /** Exif data with only an orientation. */
    private static byte[] exif(int orientation) {
        var tiff = ByteBuffer.allocate(26)
                .put("MM".getBytes(US_ASCII))
                .putShort((short) 42)
                .putInt(8);
        tiff.putShort((short) 1).putShort((short) 0x0112).putShort((short) 3).putInt(1);
        return tiff.putShort((short) orientation).array();
    }

    public static byte[] jpegWithOrientation(byte[] jpeg, int orientation) {
        byte[] exif = exif(orientation);
        byte[] name = "Exif\0\0".getBytes(US_ASCII);
        var segment = ByteBuffer.allocate(4 + name.length + exif.length)
                .putShort((short) 0xFFE1)
                .putShort((short) (2 + name.length + exif.length))
                .put(name)
                .put(exif);
        return inserted(jpeg, 2, segment.array());
    }

    static byte[] pngWithOrientation(byte[] png, int orientation, boolean atEnd) {
        return inserted(png, atEnd ? png.length - PNG_END_BYTES : PNG_HEADER_BYTES, chunk("eXIf", exif(orientation)));
    }

    /** The JPEG with another width and height in its frame header. */
    static byte[] jpegWithSides(byte[] jpeg, int width, int height) {
        byte[] changed = jpeg.clone();
        int frame = Math.max(indexOf(jpeg, "\u00FF\u00C2"), indexOf(jpeg, "\u00FF\u00C0"));
        ByteBuffer.wrap(changed).putShort(frame + 5, (short) height).putShort(frame + 7, (short) width);
        return changed;
    }

    /** The JPEG with a frame header in which no color is subsampled. */
    static byte[] jpegInFull(byte[] jpeg) {
        byte[] changed = jpeg.clone();
        changed[Math.max(indexOf(jpeg, "\u00FF\u00C2"), indexOf(jpeg, "\u00FF\u00C0")) + 11] = 0x11;
        return changed;
    }

    /** The JPEG with its last scan repeated. */
    static byte[] jpegWithScans(byte[] jpeg, int times) {
        int last = new String(jpeg, ISO_8859_1).lastIndexOf("\u00FF\u00DA");
        byte[] scan = Arrays.copyOfRange(jpeg, last, jpeg.length - 2);
        byte[] scans = new byte[scan.length * times];
        for (int i = 0; i < times; i++) {
            System.arraycopy(scan, 0, scans, i * scan.length, scan.length);
        }
        return inserted(jpeg, jpeg.length - 2, scans);
    }

    /** A PNG of a header and these chunks only. */
    public static byte[] pngHeader(int width, int height, int depth, int color, byte[]... chunks) {
        var header = ByteBuffer.allocate(13)
                .putInt(width)
                .putInt(height)
                .put((byte) depth)
                .put((byte) color);
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
        bytes.writeBytes(chunk("IHDR", header.array()));
        for (var chunk : chunks) {
            bytes.writeBytes(chunk);
        }
        bytes.writeBytes(chunk("IDAT", new byte[0]));
        bytes.writeBytes(chunk("IEND", new byte[0]));
        return bytes.toByteArray();
    }

    static byte[] chunk(String type, byte[] content) {
        byte[] name = type.getBytes(US_ASCII);
        var crc = new CRC32();
        crc.update(name);
        crc.update(content);
        return ByteBuffer.allocate(12 + content.length)
                .putInt(content.length)
                .put(name)
                .put(content)
                .putInt((int) crc.getValue())
                .array();
    }

    /** The GIF on a screen of that size, with its only picture at that position. */
    static byte[] gifOnScreen(byte[] gif, int width, int height, int left, int top) {
        byte[] changed = gif.clone();
        var bytes = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort(6, (short) width).putShort(8, (short) height);
        int block = 13 + ((gif[10] & 0x80) == 0 ? 0 : 3 << ((gif[10] & 7) + 1));
        while (gif[block] == 0x21) {
            block += 2;
            while (gif[block] != 0) {
                block += 1 + (gif[block] & 0xFF);
            }
            block++;
        }
        bytes.putShort(block + 1, (short) left).putShort(block + 3, (short) top);
        return changed;
    }

    private static int indexOf(byte[] bytes, String text) {
        return new String(bytes, ISO_8859_1).indexOf(text);
    }

    private static byte[] inserted(byte[] bytes, int at, byte[] more) {
        return ByteBuffer.allocate(bytes.length + more.length)
                .put(bytes, 0, at)
                .put(more)
                .put(bytes, at, bytes.length - at)
                .array();
    }
}
