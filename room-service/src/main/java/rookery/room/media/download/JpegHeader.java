// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.awt.Rectangle;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import javax.imageio.stream.ImageInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the markers of a JPEG up to the first scan, as libjpeg does. A picture in several scans, such as every progressive JPEG,
 * keeps all coefficients in memory outside of the heap until the last scan.
 */
final class JpegHeader {
    private static final int SOI = 0xFFD8;
    private static final int BASELINE = 0xC0;
    private static final int EXTENDED = 0xC1;
    private static final int PROGRESSIVE = 0xC2;
    private static final int END = 0xD9;
    private static final int SCAN = 0xDA;
    private static final int APP1 = 0xE1;
    private static final int APP2 = 0xE2;
    /** Markers without a length: TEM and RST. */
    private static final Set<Integer> ALONE = Set.of(0x01, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7);
    /** Frames that libjpeg does not decode, a second beginning, and the end. */
    private static final Set<Integer> REFUSED =
            Set.of(0xC3, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF, 0xD8, 0xD9);

    private static final byte[] EXIF = "Exif\0\0".getBytes(StandardCharsets.US_ASCII);

    /**
     * Ten scans are usual. The whole picture is decoded for each scan, and libjpeg goes through all scans even after
     * {@code ImageReader.abort}.
     */
    private static final int SCANS_MAX = 32;

    private static final int FRAME_BYTES = 6;
    private static final int COMPONENT_BYTES = 3;
    private static final int BLOCK = 8;
    private static final long BLOCK_BYTES = BLOCK * BLOCK * Short.BYTES;
    /** Memory of libjpeg for each column of the rows in work. */
    private static final long COLUMN_BYTES = 128;

    private final DataInputStream in;
    private final long fileBytes;
    private Orientation orientation = Orientation.UPRIGHT;
    private @Nullable Frame frame;
    private long profileBytes;

    JpegHeader(ImageInputStream file) throws IOException {
        this.in = new DataInputStream(new BufferedInputStream(new FileBytes(file)));
        this.fileBytes = file.length();
    }

    /** The file as an InputStream. */
    private static final class FileBytes extends InputStream {
        private final ImageInputStream file;

        FileBytes(ImageInputStream file) {
            this.file = file;
        }

        @Override
        public int read() throws IOException {
            return file.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return file.read(bytes, offset, length);
        }

        @Override
        public long skip(long length) throws IOException {
            return file.skipBytes(length);
        }
    }

    private record Frame(int width, int height, int components, boolean isProgressive, long coefficientBytes) {}

    PictureHeader read() throws IOException {
        if (in.readUnsignedShort() != SOI) {
            throw PictureHeader.broken();
        }
        int marker = nextMarker();
        while (marker != SCAN) {
            if (REFUSED.contains(marker)) {
                throw PictureHeader.broken();
            }
            if (!ALONE.contains(marker)) {
                readSegment(marker);
            }
            marker = nextMarker();
        }
        in.skipNBytes(Short.BYTES);
        return header(in.readUnsignedByte());
    }

    /** The next marker: the first byte after 0xFF that is neither 0 nor 0xFF. */
    private int nextMarker() throws IOException {
        int value = 0;
        while (value == 0) {
            while (value != 0xFF) {
                value = in.readUnsignedByte();
            }
            while (value == 0xFF) {
                value = in.readUnsignedByte();
            }
        }
        return value;
    }

    private int segmentLength() throws IOException {
        int length = in.readUnsignedShort() - Short.BYTES;
        if (length < 0) {
            throw PictureHeader.broken();
        }
        return length;
    }

    private void readSegment(int marker) throws IOException {
        int length = segmentLength();
        switch (marker) {
            case BASELINE, EXTENDED, PROGRESSIVE -> readFrame(length, marker == PROGRESSIVE);
            case APP1 -> readExif(length);
            default -> {
                profileBytes += marker == APP2 ? length : 0;
                in.skipNBytes(length);
            }
        }
    }

    private void readExif(int length) throws IOException {
        byte[] segment = new byte[length];
        in.readFully(segment);
        if (length > EXIF.length && Arrays.equals(segment, 0, EXIF.length, EXIF, 0, EXIF.length)) {
            orientation = Orientation.of(Arrays.copyOfRange(segment, EXIF.length, length));
        }
    }

    private void readFrame(int length, boolean isProgressive) throws IOException {
        in.skipNBytes(1); // sample precision
        int height = in.readUnsignedShort();
        int width = in.readUnsignedShort();
        int[] factors = new int[in.readUnsignedByte()];
        if (frame != null || length != FRAME_BYTES + factors.length * COMPONENT_BYTES) {
            throw PictureHeader.broken();
        }
        for (int i = 0; i < factors.length; i++) {
            in.skipNBytes(1);
            factors[i] = in.readUnsignedByte();
            in.skipNBytes(1);
        }
        frame = new Frame(width, height, factors.length, isProgressive, coefficientBytes(width, height, factors));
    }

    /** Memory for the coefficients of all blocks, rounded up to whole MCUs. */
    private static long coefficientBytes(int width, int height, int[] factors) throws IOException {
        int across = Arrays.stream(factors).map(factor -> factor >> 4).max().orElse(0);
        int down = Arrays.stream(factors).map(factor -> factor & 0xF).max().orElse(0);
        if (across == 0 || down == 0) {
            throw PictureHeader.broken();
        }
        long units = (long) Math.ceilDiv(width, BLOCK * across) * Math.ceilDiv(height, BLOCK * down);
        int blocks = Arrays.stream(factors)
                .map(factor -> (factor >> 4) * (factor & 0xF))
                .sum();
        return units * blocks * BLOCK_BYTES;
    }

    private PictureHeader header(int componentsOfScan) throws IOException {
        var read = frame;
        if (read == null) {
            throw PictureHeader.broken();
        }
        boolean hasScans = read.isProgressive || componentsOfScan < read.components;
        if (hasScans) {
            requireFewScans();
        }
        // libjpeg keeps all segments APP2, and the reader copies those of the header
        long bytes = (hasScans ? read.coefficientBytes : 0) + fileBytes + 2 * profileBytes + COLUMN_BYTES * read.width;
        var whole = new Rectangle(read.width, read.height);
        return new PictureHeader(read.width, read.height, whole, orientation, Math.max(1, read.components), bytes);
    }

    /** Counts the scans after the first, up to the end of the picture or of a truncated file. */
    private void requireFewScans() throws IOException {
        try {
            int scans = 1;
            for (int marker = nextMarker(); marker != END; marker = nextMarker()) {
                scans += marker == SCAN ? 1 : 0;
                if (scans > SCANS_MAX) {
                    throw PictureHeader.broken();
                }
                if (!ALONE.contains(marker)) {
                    in.skipNBytes(segmentLength());
                }
            }
        } catch (EOFException _) {
            // the missing rest of a truncated file is decoded as gray
        }
    }
}
