// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.awt.image.BufferedImage;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The Exif orientation: how a stored picture is rotated and mirrored for display. 1 is upright, 6 a quarter turn to the right.
 *
 * @param value 1 to 8; from 5 on rows are shown as columns
 */
record Orientation(int value) {
    static final Orientation UPRIGHT = new Orientation(1);

    private static final int MAX = 8;
    private static final int TAG = 0x0112;
    private static final int TYPE_SHORT = 3;
    private static final int ENTRY_BYTES = 12;
    private static final short LITTLE = 0x4949;

    /** The orientation in Exif data, which are a TIFF file; upright for missing or malformed data. */
    static Orientation of(byte[] exif) {
        try {
            var tiff = ByteBuffer.wrap(exif);
            tiff.order(tiff.getShort() == LITTLE ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            int directory = tiff.getInt(Integer.BYTES);
            int entries = Short.toUnsignedInt(tiff.getShort(directory));
            for (int i = 0; i < entries; i++) {
                int entry = directory + Short.BYTES + i * ENTRY_BYTES;
                if (Short.toUnsignedInt(tiff.getShort(entry)) == TAG) {
                    return of(tiff.getShort(entry + Short.BYTES), tiff.getShort(entry + 2 * Integer.BYTES));
                }
            }
            return UPRIGHT;
        } catch (BufferUnderflowException | IndexOutOfBoundsException _) {
            return UPRIGHT;
        }
    }

    private static Orientation of(int type, int value) {
        return type == TYPE_SHORT && value >= 1 && value <= MAX ? new Orientation(value) : UPRIGHT;
    }

    /** Whether stored rows are shown as columns. */
    boolean isSideways() {
        return value > MAX / 2;
    }

    /** The picture rotated for display. */
    BufferedImage turned(BufferedImage stored) {
        if (value == 1) {
            return stored;
        }
        int width = isSideways() ? stored.getHeight() : stored.getWidth();
        int height = isSideways() ? stored.getWidth() : stored.getHeight();
        var shown = new BufferedImage(width, height, stored.getType());
        boolean fromRight = value == 2 || value == 3 || value == 6 || value == 7;
        boolean fromBelow = value == 3 || value == 4 || value == 7 || value == 8;
        for (int y = 0; y < stored.getHeight(); y++) {
            for (int x = 0; x < stored.getWidth(); x++) {
                int across = isSideways() ? y : x;
                int down = isSideways() ? x : y;
                shown.setRGB(
                        fromRight ? width - 1 - across : across,
                        fromBelow ? height - 1 - down : down,
                        stored.getRGB(x, y));
            }
        }
        return shown;
    }
}
