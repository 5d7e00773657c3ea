// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.awt.Rectangle;
import java.io.IOException;
import java.nio.ByteOrder;
import javax.imageio.stream.ImageInputStream;

/** Reads the header of a GIF, up to the first picture. */
final class GifHeader {
    private static final int SIGNATURE_BYTES = 6;
    private static final int PICTURE = 0x2C;
    private static final int EXTENSION = 0x21;
    /** Limit of extension blocks, such as comments, before the first picture. */
    private static final int BLOCKS_MAX = 10_000;
    /** Memory of the decoder's tables and of a row. */
    private static final int DECODER_BYTES = 1 << 18;

    private GifHeader() {}

    static PictureHeader read(ImageInputStream in) throws IOException {
        in.setByteOrder(ByteOrder.LITTLE_ENDIAN);
        in.seek(SIGNATURE_BYTES);
        var screen = new Rectangle(in.readUnsignedShort(), in.readUnsignedShort());
        int flags = in.readUnsignedByte();
        in.skipBytes(2);
        if ((flags & 0x80) != 0) {
            in.skipBytes(3 << ((flags & 7) + 1)); // color table
        }
        skipToPicture(in);
        var frame = new Rectangle(
                in.readUnsignedShort(), in.readUnsignedShort(), in.readUnsignedShort(), in.readUnsignedShort());
        if (frame.width > screen.width || frame.height > screen.height) { // as in browsers
            frame.setLocation(0, 0);
            screen = frame;
        }
        return new PictureHeader(screen.width, screen.height, frame, Orientation.UPRIGHT, 1, DECODER_BYTES);
    }

    private static void skipToPicture(ImageInputStream in) throws IOException {
        int block = in.readUnsignedByte();
        int blocks = 0;
        while (block == EXTENSION) {
            in.skipBytes(1); // label of the extension
            int length = in.readUnsignedByte();
            while (length > 0 && ++blocks < BLOCKS_MAX) {
                in.skipBytes(length);
                length = in.readUnsignedByte();
            }
            block = blocks < BLOCKS_MAX ? in.readUnsignedByte() : 0;
            blocks++;
        }
        if (block != PICTURE) {
            throw PictureHeader.broken();
        }
    }
}
