// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.awt.Rectangle;

/**
 * The geometry of a thumbnail: which part of the picture is drawn where, before the thumbnail is rotated.
 *
 * @param region the region of the picture that the thumbnail shows
 * @param part the part of the frame to decode; empty if the region shows nothing of the frame
 * @param target the rectangle of the thumbnail in which the part is drawn
 * @param period every period-th pixel of a row or column is decoded, so that few more are than the thumbnail shows
 * @param width of the thumbnail
 * @param height of the thumbnail
 */
record Drawing(Rectangle region, Rectangle part, Rectangle target, int period, int width, int height) {
    private static final int ARGB_BYTES = 4;
    /** The thumbnail, the rotated thumbnail, and the encoded thumbnail. */
    private static final int COPIES = 3;
    /** Memory of decoders and encoders for any picture: tables, buffers, a window of zlib. */
    private static final long FIXED_BYTES = 2 << 20;

    static Drawing of(PictureHeader header, Dimensions shown) {
        var stored = header.orientation().isSideways() ? shown.turned() : shown;
        double factor = stored.factor(header.width(), header.height());
        var region = region(header, stored, factor);
        int width = scaled(region.width, factor);
        int height = scaled(region.height, factor);
        var visible = region.intersection(header.frame());
        int left = (int) Math.round((visible.x - region.x) * factor);
        int top = (int) Math.round((visible.y - region.y) * factor);
        var target = visible.equals(region)
                ? new Rectangle(width, height)
                : new Rectangle(left, top, scaled(visible.width, factor), scaled(visible.height, factor));
        var part = new Rectangle(visible);
        part.translate(-header.frame().x, -header.frame().y);
        return new Drawing(region, part, target, Math.max(1, (int) Math.round(1 / (2 * factor))), width, height);
    }

    /** The whole picture or, for a cropped size, the center of the picture in the proportions of the size. */
    private static Rectangle region(PictureHeader header, Dimensions stored, double factor) {
        if (!stored.cropped()) {
            return new Rectangle(header.width(), header.height());
        }
        int across = Math.clamp(Math.round(stored.width() / factor), 1, header.width());
        int down = Math.clamp(Math.round(stored.height() / factor), 1, header.height());
        return new Rectangle((header.width() - across) / 2, (header.height() - down) / 2, across, down);
    }

    private static int scaled(int length, double factor) {
        return Math.max(1, (int) Math.round(length * factor));
    }

    /** Upper bound of the memory for making the thumbnail, on the heap and beside it. */
    long bytes(PictureHeader header) {
        long read = part.isEmpty() ? 0 : (long) Math.ceilDiv(part.width, period) * Math.ceilDiv(part.height, period);
        return FIXED_BYTES
                + header.decoderBytes()
                + read * (header.pixelBytes() + ARGB_BYTES) // decoded, and as ARGB for scaling
                + (long) COPIES * ARGB_BYTES * width * height;
    }
}
