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
 * Reads the markers of a JPEG up to its first scan, in the way of libjpeg. A picture that comes in several scans, as every progressive
 * one does, has all its coefficients in memory until the last of them, outside of the heap.
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
    /** Those that have no length: TEM and RST. */
    private static final Set<Integer> ALONE = Set.of(0x01, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7);
    /** Frames that libjpeg does not read, another beginning, and the end. */
    private static final Set<Integer> REFUSED =
            Set.of(0xC3, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF, 0xD8, 0xD9);

    private static final byte[] EXIF = "Exif\0\0".getBytes(StandardCharsets.US_ASCII);

    /** Ten are usual. The whole picture is decoded for each, and libjpeg goes through all of them even when it is to stop. */
    private static final int SCANS_MAX = 32;

    private static final int FRAME_BYTES = 6;
    private static final int COMPONENT_BYTES = 3;
    private static final int BLOCK = 8;
    private static final long BLOCK_BYTES = BLOCK * BLOCK * Short.BYTES;
    /** What libjpeg needs for each column, for the rows that it works at. */
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

    /** The file for readers of streams. */
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

    /** What a frame header says. */
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

    /** The next byte after 0xFF that means something, whatever stands before. */
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
        in.skipNBytes(1); // bits of a sample
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

    /** Of all blocks, in the whole units of which a scan consists. */
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
        // libjpeg keeps all segments APP2 that it comes by, and the reader copies those of the header
        long bytes = (hasScans ? read.coefficientBytes : 0) + fileBytes + 2 * profileBytes + COLUMN_BYTES * read.width;
        var whole = new Rectangle(read.width, read.height);
        return new PictureHeader(read.width, read.height, whole, orientation, Math.max(1, read.components), bytes);
    }

    /** Those that follow the first, up to the end of the picture or of a file that was cut off. */
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
            // what is missing is gray
        }
    }
}
