// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.MediaClient.expect;
import static rookery.room.MediaClient.header;
import static rookery.room.media.download.PictureFiles.jpegWithOrientation;
import static rookery.room.media.download.PictureFiles.pngHeader;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Thumbnails, also of hostile pictures: contract.md 13.4. */
class ThumbnailsIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static MediaClient media;

    @BeforeAll
    static void start() {
        media = new MediaClient(server);
    }

    /** A picture that is red on the left and blue on the right. */
    private static byte[] picture(int width, int height, String format) throws IOException {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var graphics = image.createGraphics();
        graphics.setColor(Color.RED);
        graphics.fillRect(0, 0, width / 2, height);
        graphics.setColor(Color.BLUE);
        graphics.fillRect(width / 2, 0, width - width / 2, height);
        graphics.dispose();
        var bytes = new ByteArrayOutputStream();
        ImageIO.write(image, format, bytes);
        return bytes.toByteArray();
    }

    private static java.net.http.HttpResponse<byte[]> thumbnail(String file, String query) {
        return media.get("bob", "/_api/client/v1/media/thumbnail/" + file + "?" + query);
    }

    @ParameterizedTest
    @CsvSource({
        "png,  2000, 1000, width=320&height=240,               image/png,  320, 160",
        "jpeg, 2000, 1000, width=320&height=240&method=scale,  image/jpeg, 320, 160",
        "gif,  2000, 1000, width=20&height=20,                 image/png,  320, 160",
        "jpeg, 2000, 1000, width=500&height=1,                 image/jpeg, 640, 320",
        "jpeg, 2000, 1000, width=5000&height=5000,             image/jpeg, 800, 400",
        "jpeg, 2000, 1000, width=32&height=32&method=crop,     image/jpeg, 32,  32",
        "png,  1000, 2000, width=33&height=32&method=crop,     image/png,  96,  96",
        "png,  1000, 2000, width=97&height=1&method=crop,      image/png,  120, 240",
        "png,  3000, 1,    width=320&height=240,               image/png,  320, 1",
        "png,  20,   3000, width=96&height=96&method=crop,     image/png,  20,  96",
        "png,  320,  240,  width=320&height=240,               image/png,  320, 240",
    })
    void picturesAreMadeSmaller(
            String format, int width, int height, String query, String type, int thumbWidth, int thumbHeight)
            throws IOException {
        String file = media.uploaded("ada", picture(width, height, format), "?filename=x");
        var answer = thumbnail(file, query);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(header(answer, "Content-Type")).isEqualTo(type);
        assertThat(header(answer, "Content-Disposition")).startsWith("inline");
        assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
        var image = ImageIO.read(new ByteArrayInputStream(answer.body()));
        assertThat(image.getWidth() + "x" + image.getHeight()).isEqualTo(thumbWidth + "x" + thumbHeight);
        if (thumbWidth > 20) {
            assertThat(new Color(image.getRGB(2, 0)).getRed()).isGreaterThan(200);
            assertThat(new Color(image.getRGB(thumbWidth - 3, 0)).getBlue()).isGreaterThan(200);
        }
    }

    @Test
    void whatIsSmallStandsForItselfAndWhatWasMadeIsKept() throws IOException {
        byte[] small = picture(100, 50, "png");
        String file = media.uploaded("ada", small, "");
        assertThat(thumbnail(file, "width=320&height=240").body()).isEqualTo(small);
        String large = media.uploaded("ada", picture(1001, 999, "png"), "");
        var first = thumbnail(large, "width=320&height=240");
        int kept = media.files().size();
        var second = thumbnail(large, "width=300&height=200");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(header(second, "ETag")).isEqualTo(header(first, "ETag")).isNotEmpty();
        assertThat(media.files()).hasSize(kept);
    }

    @ParameterizedTest
    @CsvSource({"50000, 50000, 8, 6", "33000000, 1, 16, 6", "1, 16385, 1, 0"})
    void aBombIsRefusedByItsHeader(int width, int height, int depth, int color) {
        String file = media.uploaded("ada", pngHeader(width, height, depth, color), "");
        expect(thumbnail(file, "width=32&height=32"), 413, "M_TOO_LARGE");
        assertThat(media.download("ada", file).statusCode()).isEqualTo(200);
    }

    @Test
    void aPortraitIsUpright() throws IOException {
        byte[] portrait = jpegWithOrientation(picture(1600, 800, "jpeg"), 6);
        var answer = thumbnail(media.uploaded("ada", portrait, ""), "width=320&height=240&method=scale");
        var image = ImageIO.read(new ByteArrayInputStream(answer.body()));
        assertThat(image.getWidth() + "x" + image.getHeight()).isEqualTo("120x240");
        assertThat(new Color(image.getRGB(60, 5)).getRed()).isGreaterThan(200);
        assertThat(new Color(image.getRGB(60, 235)).getBlue()).isGreaterThan(200);
    }

    @ParameterizedTest
    @CsvSource({
        "If-None-Match,     x,            200",
        "If-None-Match,     '',           200",
        "If-None-Match,     '\"a, \"',     200",
        "If-None-Match,     *,            304",
        "If-None-Match,     W/ETAG,       304",
        "If-None-Match,     'x, ETAG',    304",
        "If-Modified-Since, yesterday,    200",
        "Range,             x,            200",
        "Range,             bytes=0-0,    206",
    })
    void conditionsAreHonouredOrIgnored(String header, String value, int status) throws IOException {
        String file = media.uploaded("ada", picture(1000, 1000, "png"), "");
        String path = "/_api/client/v1/media/thumbnail/" + file + "?width=320&height=240";
        String tag = header(media.get("bob", path), "ETag");
        assertThat(media.get("bob", path, header, value.replace("ETAG", tag)).statusCode())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"width=0&height=1", "width=1&height=-1", "width=1&height=1&method=stretch", "width=x&height=1"})
    void wrongParametersAreRefused(String query) throws IOException {
        String file = media.uploaded("ada", picture(10, 10, "png"), "");
        expect(thumbnail(file, query), 400, "M_INVALID_PARAM");
    }

    @Test
    void whatIsNoPictureHasNoThumbnail() throws IOException {
        String size = "width=32&height=32";
        expect(thumbnail(media.uploaded("ada", pngHeader(500, 500, 8, 6), ""), size), 400, "M_INVALID_PARAM");
        byte[] cut = picture(2000, 1000, "jpeg");
        for (int i = 200; i < cut.length; i++) {
            cut[i] = (byte) i;
        }
        assertThat(thumbnail(media.uploaded("ada", cut, ""), size).statusCode()).isIn(200, 400);
        byte[] svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".getBytes(UTF_8);
        expect(thumbnail(media.uploaded("ada", svg, "", "Content-Type", "image/png"), size), 400, "M_INVALID_PARAM");
        byte[] both = "GIF89a/*<html><script>alert(1)</script>*/=1;".getBytes(UTF_8);
        expect(thumbnail(media.uploaded("ada", both, "", "Content-Type", "text/html"), size), 400, "M_INVALID_PARAM");
        byte[] webp = "RIFF....WEBPVP8 ".getBytes(UTF_8);
        assertThat(thumbnail(media.uploaded("ada", webp, ""), size).body()).isEqualTo(webp);
        expect(thumbnail("example.org/nothing", size), 404, "M_NOT_FOUND");
        expect(media.get("ada", "/_api/media/v3/thumbnail/example.org/x?" + size), 404, "M_NOT_FOUND");
    }
}
