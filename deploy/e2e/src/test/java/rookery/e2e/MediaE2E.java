// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;

/**
 * A picture on its way from one person to another (contract.md 13.4). {@code OneJvmE2E} sees that files stay across a restart.
 */
@OnOneJvm
class MediaE2E {
    private final Rookery rookery;
    private final MediaClient media;

    MediaE2E(Rookery rookery) {
        this.rookery = rookery;
        this.media = new MediaClient(rookery);
    }

    @AfterEach
    void close() {
        media.close();
    }

    private static byte[] picture() throws IOException {
        var bytes = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(1200, 900, BufferedImage.TYPE_INT_RGB), "png", bytes);
        return bytes.toByteArray();
    }

    @Test
    void administratorsFindHideAndDeleteFiles() throws Exception {
        var root = Steps.administrator(rookery, rookery.http());
        var ada = People.newcomer(rookery.http(), "ada");
        byte[] bytes = {1, 2, 3, 4, 5};
        String uri = media.upload(ada, bytes, "application/octet-stream");
        String copy = media.upload(root, bytes, "application/octet-stream");
        String id = uri.substring(uri.lastIndexOf('/') + 1);

        var listed = root.call("GET", "/v3/admin/media?limit=1&user_id=" + ada.userId(), null);
        var file = listed.json().path("media").path(0);
        assertThat(listed.json().path("total").intValue()).isEqualTo(1);
        assertThat(file.path("media_id").stringValue()).isEqualTo(id);
        assertThat(file.path("size").intValue()).isEqualTo(bytes.length);
        assertThat(ada.call("GET", "/v3/admin/media", null).status()).isEqualTo(403);
        assertThat(root.call("GET", "/v3/admin/media?from=x", null).status()).isEqualTo(400);

        root.call("POST", "/v3/admin/media/" + id + "/quarantine", Map.of()).ok();
        assertThat(media.download(ada, uri).statusCode()).isEqualTo(404);
        assertThat(media.download(ada, copy).statusCode())
                .as("of the same content")
                .isEqualTo(404);
        assertThat(media.download(ada, media.upload(ada, bytes, "image/png")).statusCode())
                .as("uploaded once more")
                .isEqualTo(404);
        root.call("POST", "/v3/admin/media/" + id + "/unquarantine", Map.of()).ok();
        assertThat(media.download(ada, uri).body()).isEqualTo(bytes);

        root.call("DELETE", "/v3/admin/media/" + id, null).ok();
        assertThat(media.download(ada, uri).statusCode()).isEqualTo(404);
        assertThat(media.download(ada, copy).body()).isEqualTo(bytes);
        assertThat(root.call("DELETE", "/v3/admin/media/" + id, null).status()).isEqualTo(404);
        assertThat(root.call("GET", "/v3/admin/media/" + id, null).status()).isEqualTo(404);
        assertThat(root.call("GET", "/stats", null)
                        .json()
                        .path("media")
                        .path("files")
                        .isIntegralNumber())
                .isTrue();
    }

    @Test
    void aPictureReachesItsReadersAndNobodyElse() throws Exception {
        var ada = People.newcomer(rookery.http(), "ada");
        var grace = People.newcomer(rookery.http(), "grace");
        var room = People.roomOf(ada, grace);
        byte[] picture = picture();
        String sent = media.upload(ada, picture, "image/png");
        ada.send(room, "1", Map.of("msgtype", "m.image", "body", "tea.png", "url", sent))
                .ok();

        var event = Session.timeline(grace.sync(SyncQuery.initial()), room).getLast();
        String uri = event.path("content").path("url").asString();
        assertThat(uri).isEqualTo(sent).startsWith("mxc://localhost/");
        var download = media.download(grace, uri);
        assertThat(download.body()).isEqualTo(picture);
        assertThat(download.headers().firstValue("Cross-Origin-Resource-Policy"))
                .contains("cross-origin");
        assertThat(download.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
        assertThat(download.headers().firstValue("Content-Disposition"))
                .get()
                .asString()
                .startsWith("inline");
        var thumbnail = ImageIO.read(new ByteArrayInputStream(
                media.thumbnail(grace, uri, "?width=320&height=240").body()));
        assertThat(thumbnail.getWidth()).isEqualTo(320);

        try (var elsewhere = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            assertThat(media.download(People.newcomer(elsewhere, "eve"), uri).statusCode())
                    .isEqualTo(404);
        }
        assertThat(media.ask(grace, "/_matrix/media/v3/download/" + uri.substring(6))
                        .statusCode())
                .isEqualTo(404);
        var config = media.ask(grace, "/_api/client/v1/media/config");
        assertThat(new String(config.body(), StandardCharsets.UTF_8)).isEqualTo("{\"m.upload.size\":52428800}");
    }
}
