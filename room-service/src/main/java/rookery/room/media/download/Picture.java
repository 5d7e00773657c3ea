package rookery.room.media.download;

import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.FileImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.room.media.ContentType;
import rookery.room.media.MediaStorage.LocalFile;

/**
 * Makes one thumbnail; blocks, and can be stopped. Whoever sent the picture may mean harm: its header is read first, only the reader of
 * the format that it begins with looks at it, of several pictures in a file the first counts, and it is made smaller while it is read,
 * so that what is held is a few times the thumbnail.
 */
final class Picture implements Callable<Picture.Thumbnail> {
    private static final Map<String, String> FORMATS =
            Map.of(ContentType.PNG, "png", ContentType.JPEG, "jpeg", ContentType.GIF, "gif");

    private final Supplier<LocalFile> source;
    private final String type;
    private final Dimensions dimensions;
    private final long pixelsMax;
    private volatile @Nullable ImageReader reader;
    private volatile boolean stopped;

    /** @param source the picture as a file; may block */
    Picture(Supplier<LocalFile> source, String type, Dimensions dimensions, long pixelsMax) {
        this.source = source;
        this.type = type;
        this.dimensions = dimensions;
        this.pixelsMax = pixelsMax;
    }

    /**
     * What was made.
     *
     * @param bytes null if the picture is no larger than the thumbnail would be, and stands for it
     */
    record Thumbnail(@Nullable ByteBuffer bytes, String type) {}

    static boolean isReadable(String type) {
        return FORMATS.containsKey(type);
    }

    /** Ends it soon, wherever it is. */
    void stop() {
        stopped = true;
        var reading = reader;
        if (reading != null) {
            reading.abort();
        }
    }

    /** M_INVALID_PARAM if it is not the picture that it seems to be; M_TOO_LARGE. */
    @Override
    public Thumbnail call() {
        var made = ImageIO.getImageReadersByFormatName(FORMATS.get(type)).next();
        reader = made;
        try (var file = source.get();
                var in = new FileImageInputStream(file.path().toFile())) {
            made.setInput(in, true, true);
            return thumbnail(made);
        } catch (ApiException e) {
            throw e;
        } catch (IOException | RuntimeException _) { // readers throw whatever their arithmetic ends in
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "this picture cannot be read");
        } finally {
            made.dispose();
        }
    }

    private Thumbnail thumbnail(ImageReader made) throws IOException {
        int width = made.getWidth(0);
        int height = made.getHeight(0);
        if ((long) width * height > pixelsMax) {
            throw new ApiException(
                    ErrorCode.M_TOO_LARGE, "a thumbnail is made of pictures of at most " + pixelsMax + " pixels");
        }
        if (dimensions.covers(width, height)) {
            return new Thumbnail(null, type);
        }
        double factor = dimensions.factor(width, height);
        var region = region(width, height, factor);
        var parameters = made.getDefaultReadParam();
        int period = Math.max(1, (int) (1 / (2 * factor)));
        parameters.setSourceRegion(region);
        parameters.setSourceSubsampling(period, period, 0, 0);
        var read = made.read(0, parameters);
        if (stopped) {
            throw new IOException("stopped"); // what a stopped reader returns is half a picture
        }
        int across = Math.max(1, (int) Math.round(region.width * factor));
        int down = Math.max(1, (int) Math.round(region.height * factor));
        return new Thumbnail(ByteBuffer.wrap(written(scaled(read, across, down))), outputType());
    }

    /** The whole picture, or the middle of it that is as wide as it is high. */
    private Rectangle region(int width, int height, double factor) {
        if (!dimensions.cropped()) {
            return new Rectangle(width, height);
        }
        int across = Math.clamp(Math.round(dimensions.width() / factor), 1, width);
        int down = Math.clamp(Math.round(dimensions.height() / factor), 1, height);
        return new Rectangle((width - across) / 2, (height - down) / 2, across, down);
    }

    private BufferedImage scaled(BufferedImage read, int width, int height) {
        boolean opaque = type.equals(ContentType.JPEG);
        var scaled =
                new BufferedImage(width, height, opaque ? BufferedImage.TYPE_INT_RGB : BufferedImage.TYPE_INT_ARGB);
        var graphics = scaled.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(read, 0, 0, width, height, null);
        graphics.dispose();
        return scaled;
    }

    private byte[] written(BufferedImage scaled) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new MemoryCacheImageOutputStream(bytes)) {
            ImageIO.write(scaled, FORMATS.get(outputType()), out);
        }
        return bytes.toByteArray();
    }

    private String outputType() {
        return type.equals(ContentType.JPEG) ? ContentType.JPEG : ContentType.PNG;
    }
}
