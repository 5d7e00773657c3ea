package rookery.room.media.download;

import java.awt.Rectangle;
import java.io.IOException;
import java.nio.ByteOrder;
import javax.imageio.stream.ImageInputStream;

/** Reads a GIF up to its first picture. */
final class GifHeader {
    private static final int SIGNATURE_BYTES = 6;
    private static final int PICTURE = 0x2C;
    private static final int EXTENSION = 0x21;
    /** Of comments and the like before the first picture. */
    private static final int BLOCKS_MAX = 10_000;
    /** The reader's tables and row. */
    private static final int DECODER_BYTES = 1 << 18;

    private GifHeader() {}

    static PictureHeader read(ImageInputStream in) throws IOException {
        in.setByteOrder(ByteOrder.LITTLE_ENDIAN);
        in.seek(SIGNATURE_BYTES);
        var screen = new Rectangle(in.readUnsignedShort(), in.readUnsignedShort());
        int flags = in.readUnsignedByte();
        in.skipBytes(2);
        if ((flags & 0x80) != 0) {
            in.skipBytes(3 << ((flags & 7) + 1)); // colors
        }
        skipToPicture(in);
        var frame = new Rectangle(
                in.readUnsignedShort(), in.readUnsignedShort(), in.readUnsignedShort(), in.readUnsignedShort());
        if (frame.width > screen.width || frame.height > screen.height) { // as browsers do it
            frame.setLocation(0, 0);
            screen = frame;
        }
        return new PictureHeader(screen.width, screen.height, frame, Orientation.UPRIGHT, 1, DECODER_BYTES);
    }

    private static void skipToPicture(ImageInputStream in) throws IOException {
        int block = in.readUnsignedByte();
        int blocks = 0;
        while (block == EXTENSION) {
            in.skipBytes(1); // its kind
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
