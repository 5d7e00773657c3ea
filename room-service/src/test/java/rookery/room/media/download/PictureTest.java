// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static rookery.room.media.download.PictureFiles.chunk;
import static rookery.room.media.download.PictureFiles.gifOnScreen;
import static rookery.room.media.download.PictureFiles.jpegInFull;
import static rookery.room.media.download.PictureFiles.jpegWithOrientation;
import static rookery.room.media.download.PictureFiles.jpegWithScans;
import static rookery.room.media.download.PictureFiles.jpegWithSides;
import static rookery.room.media.download.PictureFiles.pngHeader;
import static rookery.room.media.download.PictureFiles.pngWithOrientation;
import static rookery.room.media.download.PictureFiles.progressive;
import static rookery.room.media.download.PictureFiles.quarters;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;
import rookery.model.error.ApiException;
import rookery.room.media.ContentType;
import rookery.room.media.MediaStorage.LocalFile;
import rookery.room.media.download.Picture.Bounds;

/** Thumbnails of pictures as no camera makes them: contract.md 13.4, decision 0022. */
class PictureTest {
    private static final Dimensions SMALL = Dimensions.of(320, 240, false);
    private static final ClientConnection PATIENT = () -> false;
    private static final Map<String, String> TYPES =
            Map.of("jpeg", ContentType.JPEG, "png", ContentType.PNG, "gif", ContentType.GIF);

    @TempDir
    static Path folder = Path.of("");

    private final PictureBudget budget = new PictureBudget(DataSize.ofMegabytes(96), Duration.ofMillis(10));
    private final Bounds bounds = new Bounds(16_384, 64_000_000, budget);

    private record TestFile(Path path) implements LocalFile {
        @Override
        public void close() throws IOException {
            Files.delete(path);
        }
    }

    private static LocalFile file(byte[] bytes) {
        try {
            return new TestFile(Files.write(Files.createTempFile(folder, "picture", ""), bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Picture picture(byte[] bytes, String format, Dimensions dimensions) {
        return new Picture(() -> file(bytes), TYPES.getOrDefault(format, ""), dimensions, bounds, PATIENT);
    }

    private BufferedImage thumbnail(byte[] bytes, String format, Dimensions dimensions) throws IOException {
        var made =
                Objects.requireNonNull(picture(bytes, format, dimensions).call().bytes());
        byte[] thumbnail = new byte[made.remaining()];
        made.get(thumbnail);
        return ImageIO.read(new ByteArrayInputStream(thumbnail));
    }

    /** {@code made}, or the error code. */
    private String outcome(byte[] bytes, String format) {
        try {
            picture(bytes, format, SMALL).call();
            return "made";
        } catch (ApiException e) {
            return e.code.name();
        }
    }

    /** The colors at the four corners. */
    private static String corners(BufferedImage image) {
        int right = image.getWidth() - 5;
        int bottom = image.getHeight() - 5;
        return "TL=" + color(image, 5, 5) + " TR=" + color(image, right, 5) + " BL=" + color(image, 5, bottom) + " BR="
                + color(image, right, bottom);
    }

    private static char color(BufferedImage image, int x, int y) {
        var color = new Color(image.getRGB(x, y), true);
        boolean red = color.getRed() > 128;
        boolean green = color.getGreen() > 128;
        boolean blue = color.getBlue() > 128;
        return color.getAlpha() == 0 ? '-' : red && green && blue ? 'w' : red ? 'r' : green ? 'g' : blue ? 'b' : '?';
    }

    @ParameterizedTest
    @CsvSource({
        "0, TL=r TR=g BL=b BR=w",
        "1, TL=r TR=g BL=b BR=w",
        "2, TL=g TR=r BL=w BR=b",
        "3, TL=w TR=b BL=g BR=r",
        "4, TL=b TR=w BL=r BR=g",
        "5, TL=r TR=b BL=g BR=w",
        "6, TL=b TR=r BL=w BR=g",
        "7, TL=w TR=g BL=b BR=r",
        "8, TL=g TR=w BL=r BR=b",
        "9, TL=r TR=g BL=b BR=w",
    })
    void picturesAreShownAsTheyWereTaken(int orientation, String corners) throws IOException {
        byte[] jpeg = jpegWithOrientation(quarters(1600, 800, "jpeg"), orientation);
        byte[] png = quarters(1600, 800, "png");
        boolean isSideways = orientation >= 5 && orientation <= 8;
        for (var image : new BufferedImage[] {
            thumbnail(jpeg, "jpeg", SMALL),
            thumbnail(pngWithOrientation(png, orientation, false), "png", SMALL),
            thumbnail(pngWithOrientation(png, orientation, true), "png", SMALL)
        }) {
            assertThat(image.getWidth() + "x" + image.getHeight()).isEqualTo(isSideways ? "120x240" : "320x160");
            assertThat(corners(image)).isEqualTo(corners);
        }
        var cropped = thumbnail(jpeg, "jpeg", Dimensions.of(96, 96, true));
        assertThat(cropped.getWidth() + "x" + cropped.getHeight()).isEqualTo("96x96");
        assertThat(corners(cropped)).isEqualTo(corners);
    }

    @Test
    void aTurnedPictureThatFitsStandsForItself() {
        byte[] high = jpegWithOrientation(quarters(240, 320, "jpeg"), 8);
        assertThat(picture(high, "jpeg", SMALL).call().bytes()).isNull();
        byte[] wide = jpegWithOrientation(quarters(320, 240, "jpeg"), 8);
        assertThat(picture(wide, "jpeg", SMALL).call().bytes()).isNotNull();
    }

    @Test
    void theFirstPictureOfAGifIsAtItsPlace() throws IOException {
        byte[] gif = gifOnScreen(quarters(400, 200, "gif"), 1000, 800, 500, 400);
        var image = thumbnail(gif, "gif", SMALL);
        assertThat(image.getWidth() + "x" + image.getHeight()).isEqualTo("300x240");
        assertThat(corners(image)).isEqualTo("TL=- TR=- BL=- BR=-");
        assertThat(corners(image.getSubimage(150, 120, 120, 60))).isEqualTo("TL=r TR=g BL=b BR=w");
        assertThat(color(image, 145, 150)).isEqualTo('-');
        assertThat(color(image, 275, 150)).isEqualTo('-');
        var middle = thumbnail(gif, "gif", Dimensions.of(96, 96, true));
        assertThat(corners(middle)).isEqualTo("TL=- TR=- BL=- BR=-");
        assertThat(corners(middle.getSubimage(48, 48, 48, 24))).isEqualTo("TL=r TR=g BL=b BR=w");
        var beside = thumbnail(gifOnScreen(gif, 1000, 800, 1000, 800), "gif", SMALL);
        assertThat(corners(beside)).isEqualTo("TL=- TR=- BL=- BR=-");
        var larger = thumbnail(gifOnScreen(gif, 399, 65_535, 7, 7), "gif", SMALL);
        assertThat(larger.getWidth() + "x" + larger.getHeight()).isEqualTo("320x160");
    }

    /** Whether the budget covers the largest thumbnail of the picture. */
    private boolean isCovered(byte[] jpeg) throws IOException {
        var header =
                PictureHeader.read(ContentType.JPEG, new MemoryCacheImageInputStream(new ByteArrayInputStream(jpeg)));
        return budget.covers(Drawing.of(header, Dimensions.of(800, 600, false)).bytes(header));
    }

    @Test
    void whatADecoderWouldNeedIsReckonedBeforeThereIsOne() throws IOException {
        byte[] small = jpegInFull(progressive(400, 300));
        byte[] baseline = quarters(400, 300, "jpeg");
        assertThat(outcome(pngHeader(33_000_000, 1, 16, 6), "png")).isEqualTo("M_TOO_LARGE");
        assertThat(outcome(pngHeader(1, 16_385, 1, 0), "png")).isEqualTo("M_TOO_LARGE");
        assertThat(outcome(pngHeader(16_384, 16_384, 8, 2), "png")).isEqualTo("M_TOO_LARGE");
        assertThat(outcome(jpegWithSides(small, 6300, 6300), "jpeg")).isEqualTo("M_TOO_LARGE");
        assertThat(isCovered(jpegWithSides(small, 4032, 3024))).isTrue();
        assertThat(isCovered(jpegWithSides(small, 5000, 4000))).isFalse();
        assertThat(isCovered(jpegWithSides(progressive(400, 300), 5700, 4300))).isTrue();
        assertThat(isCovered(jpegWithSides(baseline, 8192, 6144))).isTrue();
        byte[] alone = jpegWithSides(baseline, 8192, 6144);
        int scan = new String(alone, ISO_8859_1).indexOf("\u00FF\u00DA");
        alone[scan + 4] = 1;
        assertThat(outcome(alone, "jpeg")).isEqualTo("M_TOO_LARGE");
        byte[] unknown = chunk("rooK", new byte[33 << 20]);
        assertThat(outcome(pngHeader(1000, 1000, 8, 3, unknown), "png")).isEqualTo("M_TOO_LARGE");
        assertThat(outcome(pngHeader(1000, 1000, 8, 2, unknown), "png")).isEqualTo("M_INVALID_PARAM");
    }

    @Test
    void aHeaderWithoutEndIsBroken() {
        assertThat(outcome(jpegWithScans(progressive(400, 300), 100), "jpeg")).isEqualTo("M_INVALID_PARAM");
        byte[][] chunks = new byte[60_000][];
        Arrays.fill(chunks, chunk("rooK", new byte[0]));
        assertThat(outcome(pngHeader(1000, 1000, 8, 3, chunks), "png")).isEqualTo("M_INVALID_PARAM");
        byte[] jpeg = new byte[1 << 18];
        jpeg[0] = (byte) 0xFF;
        jpeg[1] = (byte) 0xD8;
        assertThat(outcome(jpeg, "jpeg")).isEqualTo("M_INVALID_PARAM");
        for (int i = 2; i < jpeg.length; i += 4) {
            System.arraycopy(new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 2}, 0, jpeg, i, Math.min(4, jpeg.length - i));
        }
        assertThat(outcome(jpeg, "jpeg")).isEqualTo("M_INVALID_PARAM");
        byte[] gif = new byte[1 << 18];
        Arrays.fill(gif, (byte) 1);
        System.arraycopy(new byte[] {'G', 'I', 'F', '8', '9', 'a', 0, 9, 0, 9, 0, 0, 0, 0x21, 1}, 0, gif, 0, 15);
        assertThat(outcome(gif, "gif")).isEqualTo("M_INVALID_PARAM");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jpeg", "progressive", "png", "gif"})
    void whatIsCutOrChangedIsMadeOrBroken(String kind) {
        String format = kind.equals("progressive") ? "jpeg" : kind;
        byte[] whole = kind.equals("progressive") ? progressive(400, 300) : quarters(400, 300, kind);
        assertThat(outcome(whole, format)).isEqualTo("made");
        for (int i = 0; i < 20; i++) {
            assertThat(outcome(Arrays.copyOf(whole, whole.length * i / 20), format))
                    .isIn("made", "M_INVALID_PARAM");
        }
        var random = new Random(36);
        for (int i = 0; i < 60; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(Math.min(changed.length, i < 40 ? 200 : changed.length))] = (byte) random.nextInt();
            assertThat(outcome(changed, format)).isIn("made", "M_INVALID_PARAM", "M_TOO_LARGE");
        }
    }

    @Test
    void aPictureOfManyScansCanBeStopped() throws InterruptedException {
        var begun = new CountDownLatch(1);
        byte[] bytes = jpegWithScans(progressive(1600, 1600), 20);
        var picture = new Picture(
                () -> {
                    begun.countDown();
                    return file(bytes);
                },
                ContentType.JPEG,
                SMALL,
                bounds,
                PATIENT);
        var made = CompletableFuture.supplyAsync(picture::call);
        begun.await();
        picture.stop();
        assertThat(made.orTimeout(60, TimeUnit.SECONDS).join().bytes()).isNull();
    }

    @Test
    void noPictureIsBegunWithoutMemoryOrAsker() {
        byte[] jpeg = quarters(1000, 1000, "jpeg");
        try (var _ = budget.take(DataSize.ofMegabytes(95).toBytes())) {
            assertThat(outcome(jpeg, "jpeg")).isEqualTo("M_UNKNOWN");
        }
        assertThat(outcome(jpeg, "jpeg")).isEqualTo("made");
        var picture = new Picture(
                () -> {
                    throw new AssertionError("was read");
                },
                ContentType.JPEG,
                SMALL,
                bounds,
                () -> true);
        assertThatThrownBy(picture::call).isInstanceOf(ApiException.class);
    }
}
