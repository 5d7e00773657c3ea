// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.util.List;
import java.util.stream.Stream;

/**
 * A size of thumbnails in pixels (contract.md 13.4): cropped cuts the picture's edges off to fill the size, otherwise the whole
 * picture is scaled into the size.
 */
public record Dimensions(int width, int height, boolean cropped) {
    private static final List<Dimensions> CROPPED = List.of(new Dimensions(32, 32, true), new Dimensions(96, 96, true));
    private static final List<Dimensions> SCALED =
            List.of(new Dimensions(320, 240, false), new Dimensions(640, 480, false), new Dimensions(800, 600, false));

    /** The smallest size that covers the requested size, or else the largest size. */
    public static Dimensions of(int width, int height, boolean cropped) {
        var sizes = Stream.concat(cropped ? CROPPED.stream() : Stream.empty(), SCALED.stream());
        return sizes.filter(size -> size.covers(width, height)).findFirst().orElse(SCALED.getLast());
    }

    boolean covers(int otherWidth, int otherHeight) {
        return width >= otherWidth && height >= otherHeight;
    }

    /** Whether the picture, as shown, fits into this size. */
    boolean covers(PictureHeader picture) {
        return picture.orientation().isSideways()
                ? covers(picture.height(), picture.width())
                : covers(picture.width(), picture.height());
    }

    /** The same size for a picture that is rotated by 90 degrees after drawing. */
    Dimensions turned() {
        return new Dimensions(/* width= */ height, /* height= */ width, cropped);
    }

    /**
     * Such as {@code 96x96-crop-upright}. Thumbnails without {@code upright} are older than the rotation by Exif data and
     * are made anew.
     */
    String text() {
        return width + "x" + height + (cropped ? "-crop" : "-scale") + "-upright";
    }

    /** The scale factor of a picture's sides; at most 1, since no picture is enlarged. */
    double factor(int pictureWidth, int pictureHeight) {
        double across = (double) width / pictureWidth;
        double down = (double) height / pictureHeight;
        return Math.min(1, cropped ? Math.max(across, down) : Math.min(across, down));
    }
}
