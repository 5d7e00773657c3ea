// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.MediaClient.expect;
import static rookery.room.MediaClient.header;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.media.S3Server;

/** Files in a bucket of a real S3 server, S3Proxy: contract.md 13.4, decision 0016. */
class MediaBucketIT {
    private static final S3Server s3 = S3Server.start();

    @RegisterExtension
    static final RoomServer server =
            RoomServer.own(Stream.concat(Stream.of(s3.settings()), Stream.of("--rookery.media.size-max=21MB"))
                    .toArray(String[]::new));

    private static MediaClient media;

    @BeforeAll
    static void start() {
        media = new MediaClient(server);
    }

    @AfterAll
    static void end() {
        s3.close();
    }

    private static byte[] bytes(int seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void aFileIsServedWholeAndInParts() {
        byte[] large = bytes(1, 20 << 20);
        String file = MediaClient.id(media.upload(
                "ada", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)), "?filename=large.bin"));
        assertThat(Arrays.equals(media.download("bob", file).body(), large)).isTrue();
        var part = media.download("ada", file, "Range", "bytes=1000000-1999999");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(Arrays.equals(part.body(), Arrays.copyOfRange(large, 1_000_000, 2_000_000)))
                .isTrue();
        expect(media.download("@eve:example.net", file), 404, "M_NOT_FOUND");
    }

    @Test
    void anEmptyFileIsServed() {
        String file = media.uploaded("ada", new byte[0], "");
        var answer = media.download("bob", file);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void thumbnailsAreMadeAndKeptThere() throws Exception {
        var out = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(400, 200, BufferedImage.TYPE_INT_RGB), "png", out);
        String file = media.uploaded("ada", out.toByteArray(), "");
        String path = "/_api/client/v1/media/thumbnail/" + file + "?width=100&height=100&method=scale";
        for (int i = 0; i < 2; i++) {
            var answer = media.get("bob", path);
            assertThat(answer.statusCode()).as(MediaClient.text(answer)).isEqualTo(200);
            var thumbnail = ImageIO.read(new ByteArrayInputStream(answer.body()));
            assertThat(thumbnail.getWidth() + "x" + thumbnail.getHeight()).isEqualTo("320x160");
        }
    }

    @Test
    void aServerThatIsAwayIsToldAsThatAndNothingOfItIsCached() {
        byte[] content = bytes(2, 1000);
        String file = media.uploaded("ada", content, "");
        s3.kill();
        try {
            expect(media.upload("ada", BodyPublishers.ofByteArray(bytes(3, 1000)), ""), 503, "M_UNKNOWN");
            var answer = media.download("bob", file);
            expect(answer, 503, "M_UNKNOWN");
            assertThat(header(answer, "ETag") + header(answer, "Content-Disposition"))
                    .isEmpty();
            assertThat(header(answer, "Cache-Control")).doesNotContain("max-age=31536000");
        } finally {
            s3.startAgain();
        }
        assertThat(media.download("bob", file).body()).isEqualTo(content);
    }
}
