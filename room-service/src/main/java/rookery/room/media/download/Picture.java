// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javax.imageio.IIOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.FileImageInputStream;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.room.media.ContentType;
import rookery.room.media.MediaStorage.LocalFile;

/**
 * Makes one thumbnail; blocks, and can be stopped. The picture is untrusted: the header determines the decoder's memory before
 * any decoder reads the file (decision 0022), only the decoder of the detected format reads the file, and only the first picture
 * in the file is decoded, with most pixels left out.
 */
final class Picture implements Callable<Picture.Thumbnail> {
    private static final Map<String, String> FORMATS =
            Map.of(ContentType.PNG, "png", ContentType.JPEG, "jpeg", ContentType.GIF, "gif");

    private final Supplier<LocalFile> source;
    private final String type;
    private final Dimensions dimensions;
    private final Bounds bounds;
    private final ClientConnection client;
    private final Stop stop = new Stop();
    private volatile @Nullable ImageReader reader;

    /** @param source opens the picture as a local file; may block */
    Picture(Supplier<LocalFile> source, String type, Dimensions dimensions, Bounds bounds, ClientConnection client) {
        this.source = source;
        this.type = type;
        this.dimensions = dimensions;
        this.bounds = bounds;
        this.client = client;
    }

    /** Limits of pictures: pixels of a side, pixels in all, and memory. */
    record Bounds(int sideMax, long pixelsMax, PictureBudget budget) {}

    /** An encoded thumbnail; null bytes if the picture is no larger than the thumbnail and serves as its own. */
    record Thumbnail(@Nullable ByteBuffer bytes, String type) {}

    static boolean isReadable(String type) {
        return FORMATS.containsKey(type);
    }

    /** Makes a running call end soon. */
    void stop() {
        stop.call();
        var reading = reader;
        if (reading != null && !type.equals(ContentType.JPEG)) {
            reading.abort(); // a GIF may send Stop no further update
        }
    }

    /**
     * M_INVALID_PARAM for a file that is no picture of its type; M_TOO_LARGE; 503 if no memory is freed in time, or the
     * client has disconnected.
     */
    @Override
    public Thumbnail call() {
        requireClient();
        try (var file = source.get();
                var in = new FileImageInputStream(file.path().toFile())) {
            var header = PictureHeader.read(type, in);
            requireBounded(header);
            if (dimensions.covers(header)) {
                return new Thumbnail(null, type);
            }
            var drawing = Drawing.of(header, dimensions);
            long bytes = drawing.bytes(header);
            if (!bounds.budget.covers(bytes)) {
                throw new ApiException(
                        ErrorCode.M_TOO_LARGE, "a thumbnail of this picture would take too much memory to make");
            }
            try (var _ = bounds.budget.take(bytes)) {
                requireClient();
                return new Thumbnail(ByteBuffer.wrap(drawn(header, drawing, in)), outputType());
            }
        } catch (ApiException e) {
            throw e;
        } catch (IOException | RuntimeException | StackOverflowError _) { // any failure of a decoder's arithmetic
            if (stop.isCalled()) {
                return new Thumbnail(null, type); // the client is gone
            }
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "this picture cannot be read");
        }
    }

    private void requireClient() {
        if (client.isClosed()) {
            throw PictureBudget.tooMany();
        }
    }

    private void requireBounded(PictureHeader header) {
        if (Math.max(header.width(), header.height()) > bounds.sideMax
                || (long) header.width() * header.height() > bounds.pixelsMax) {
            throw new ApiException(
                    ErrorCode.M_TOO_LARGE,
                    "a thumbnail is made of pictures of at most " + bounds.sideMax + " pixels in each direction and "
                            + bounds.pixelsMax + " in all");
        }
    }

    private byte[] drawn(PictureHeader header, Drawing drawing, ImageInputStream in) throws IOException {
        var thumbnail = new BufferedImage(
                drawing.width(),
                drawing.height(),
                type.equals(ContentType.JPEG) ? BufferedImage.TYPE_INT_RGB : BufferedImage.TYPE_INT_ARGB);
        if (!drawing.part().isEmpty()) {
            draw(read(header, drawing, in), drawing, thumbnail);
        }
        return written(header.orientation().turned(thumbnail));
    }

    private BufferedImage read(PictureHeader header, Drawing drawing, ImageInputStream in) throws IOException {
        var decoder = ImageIO.getImageReadersByFormatName(FORMATS.get(type)).next();
        try {
            reader = decoder;
            in.seek(0);
            decoder.setInput(in, true, true);
            if (decoder.getWidth(0) != header.frame().width || decoder.getHeight(0) != header.frame().height) {
                throw PictureHeader.broken(); // the decoder would take more memory than was reserved
            }
            decoder.addIIOReadUpdateListener(stop);
            var parameters = decoder.getDefaultReadParam();
            parameters.setSourceRegion(drawing.part());
            parameters.setSourceSubsampling(drawing.period(), drawing.period(), 0, 0);
            var read = decoder.read(0, parameters);
            if (stop.isCalled()) {
                throw new IIOException("stopped"); // a stopped reader returns half a picture
            }
            return read;
        } finally {
            decoder.dispose();
        }
    }

    private static void draw(BufferedImage read, Drawing drawing, BufferedImage thumbnail) {
        var target = drawing.target();
        var graphics = thumbnail.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(read, target.x, target.y, target.width, target.height, null);
        graphics.dispose();
    }

    private byte[] written(BufferedImage thumbnail) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new MemoryCacheImageOutputStream(bytes)) {
            ImageIO.write(thumbnail, FORMATS.get(outputType()), out);
        }
        return bytes.toByteArray();
    }

    private String outputType() {
        return type.equals(ContentType.JPEG) ? ContentType.JPEG : ContentType.PNG;
    }
}
