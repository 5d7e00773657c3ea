// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.awt.Rectangle;
import java.io.IOException;
import javax.imageio.IIOException;
import javax.imageio.stream.ImageInputStream;
import rookery.room.media.ContentType;

/**
 * The header of a picture, read without a decoder (decision 0022).
 *
 * @param width width of the stored picture; of a GIF, of the logical screen
 * @param height likewise
 * @param frame the first picture of the file on the screen; the whole picture except in a GIF
 * @param pixelBytes memory of a decoded pixel
 * @param decoderBytes memory of the decoder besides decoded pixels
 */
record PictureHeader(
        int width, int height, Rectangle frame, Orientation orientation, int pixelBytes, long decoderBytes) {

    /** The stream is at the beginning of the file. IOException for a malformed file. */
    static PictureHeader read(String type, ImageInputStream in) throws IOException {
        var header = switch (type) {
            case ContentType.JPEG -> new JpegHeader(in).read();
            case ContentType.PNG -> new PngHeader(in).read();
            case ContentType.GIF -> GifHeader.read(in);
            default -> throw new IllegalArgumentException(type);
        };
        if (header.width < 1 || header.height < 1 || header.frame.isEmpty()) {
            throw broken();
        }
        return header;
    }

    static IOException broken() {
        return new IIOException("the header of this picture is broken");
    }
}
