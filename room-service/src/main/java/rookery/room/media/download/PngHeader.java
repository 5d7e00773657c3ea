// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.awt.Rectangle;
import java.io.IOException;
import javax.imageio.stream.ImageInputStream;

/**
 * Reads the chunk headers of a PNG, and the Exif chunk. The JDK's decoder keeps three rows in memory, and most chunks of a
 * picture with a palette.
 */
final class PngHeader {
    private static final int SIGNATURE_BYTES = 8;
    private static final int IHDR = 0x49484452;
    private static final int IDAT = 0x49444154;
    private static final int IEND = 0x49454E44;
    private static final int EXIF = 0x65584966;
    private static final int IHDR_BYTES = 13;
    private static final int CRC_BYTES = 4;
    private static final int CHUNK_BYTES_MIN = 12;
    private static final int EXIF_BYTES_MAX = 1 << 16;
    /** Enough for 50 MB in chunks of 1 KiB; the decoder keeps a note of each unknown chunk. */
    private static final int CHUNKS_MAX = 50_000;

    private static final int PALETTE = 3;
    private static final int DEPTH_MAX = 16;
    private static final int ROWS = 3;
    /** The decoder keeps a text or profile both raw and decoded. */
    private static final int COPIES = 3;

    private final ImageInputStream in;
    private Orientation orientation = Orientation.UPRIGHT;
    private long chunkBytes;

    PngHeader(ImageInputStream in) {
        this.in = in;
    }

    PictureHeader read() throws IOException {
        in.seek(SIGNATURE_BYTES);
        if (in.readInt() != IHDR_BYTES || in.readInt() != IHDR) {
            throw PictureHeader.broken();
        }
        int width = in.readInt();
        int height = in.readInt();
        int depth = in.readUnsignedByte();
        int color = in.readUnsignedByte();
        int channels = channels(color);
        if (depth < 1 || depth > DEPTH_MAX || width < 1) {
            throw PictureHeader.broken();
        }
        in.seek(SIGNATURE_BYTES + CHUNK_BYTES_MIN + IHDR_BYTES);
        readChunks();
        long rowBytes = Math.ceilDiv((long) width * channels * depth, Byte.SIZE);
        long bytes = ROWS * rowBytes + (color == PALETTE ? COPIES * chunkBytes : 0);
        int sampleBytes = depth == DEPTH_MAX ? 2 : 1;
        int channelsMax = color == PALETTE ? 1 : channels + 1; // a transparent color adds a channel
        var whole = new Rectangle(width, height);
        return new PictureHeader(width, height, whole, orientation, channelsMax * sampleBytes, bytes);
    }

    private static int channels(int color) throws IOException {
        return switch (color) {
            case 0, PALETTE -> 1;
            case 2 -> 3;
            case 4 -> 2;
            case 6 -> 4;
            default -> throw PictureHeader.broken();
        };
    }

    /** Reads up to the end of the picture, or of a truncated file. */
    private void readChunks() throws IOException {
        for (int i = 0; in.getStreamPosition() + CHUNK_BYTES_MIN <= in.length(); i++) {
            int length = in.readInt();
            int type = in.readInt();
            if (length < 0 || i >= CHUNKS_MAX) {
                throw PictureHeader.broken();
            }
            if (type == IEND) {
                return;
            }
            long end = in.getStreamPosition() + length + CRC_BYTES;
            if (type == EXIF) {
                readExif(length);
            }
            if (type != IDAT) {
                chunkBytes += length;
            }
            in.seek(end);
        }
    }

    private void readExif(int length) throws IOException {
        byte[] exif = new byte[Math.min(length, EXIF_BYTES_MAX)];
        in.readFully(exif);
        orientation = Orientation.of(exif);
    }
}
