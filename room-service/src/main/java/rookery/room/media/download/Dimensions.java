package rookery.room.media.download;

import java.util.List;

/**
 * One of the sizes that thumbnails have, in pixels (contract.md 13.4).
 *
 * @param cropped whether what does not fit is cut off; otherwise the whole picture is made to fit
 */
public record Dimensions(int width, int height, boolean cropped) {
    private static final List<Dimensions> CROPPED = List.of(new Dimensions(32, 32, true), new Dimensions(96, 96, true));
    private static final List<Dimensions> SCALED =
            List.of(new Dimensions(320, 240, false), new Dimensions(640, 480, false), new Dimensions(800, 600, false));

    /** The smallest that is no smaller than what a client wants, or the largest of all. */
    public static Dimensions of(int width, int height, boolean cropped) {
        return (cropped ? CROPPED : List.<Dimensions>of())
                .stream()
                        .filter(one -> one.covers(width, height))
                        .findFirst()
                        .orElseGet(() -> SCALED.stream()
                                .filter(one -> one.covers(width, height))
                                .findFirst()
                                .orElse(SCALED.getLast()));
    }

    boolean covers(int otherWidth, int otherHeight) {
        return width >= otherWidth && height >= otherHeight;
    }

    /** Whether the picture, as it is shown, is no larger. */
    boolean covers(PictureHeader picture) {
        return picture.orientation().isSideways()
                ? covers(picture.height(), picture.width())
                : covers(picture.width(), picture.height());
    }

    /** The same for a picture that is turned by a quarter afterwards. */
    Dimensions turned() {
        return new Dimensions(/* width= */ height, /* height= */ width, cropped);
    }

    /** Such as {@code 96x96-crop-upright}; thumbnails without that word were made when pictures were not turned, and are made anew. */
    String text() {
        return width + "x" + height + (cropped ? "-crop" : "-scale") + "-upright";
    }

    /** By what a picture's lengths are multiplied; at most 1, since none is made larger. */
    double factor(int pictureWidth, int pictureHeight) {
        double across = (double) width / pictureWidth;
        double down = (double) height / pictureHeight;
        return Math.min(1, cropped ? Math.max(across, down) : Math.min(across, down));
    }
}
