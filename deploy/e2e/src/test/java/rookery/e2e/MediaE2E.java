package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.json.JsonMapper;

/** A picture on its way from one person to another, through the gateway and across a restart (contract.md 13.4). */
@ResourceLock(ClusterExtension.ROOKERY_OF_ITS_OWN)
class MediaE2E {
    private static final Plan PLAN = Plan.quick("media").tenants(ClusterExtension.SECOND_TENANT);
    private static final int LARGE_BYTES = 20 << 20;

    private static final HttpClient CLIENT = Http.builder().build();

    private static Rookery rookery;

    @BeforeAll
    static void start() {
        rookery = Rookery.start(PLAN);
    }

    @AfterAll
    static void stop() {
        CLIENT.shutdownNow();
        rookery.close();
    }

    private static HttpResponse<byte[]> send(Session who, String method, String path, byte[] body, String... headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PLAN.port() + path))
                .setHeader("Host", who.http().site().host())
                .setHeader("Authorization", "Bearer " + who.token())
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String upload(Session who, byte[] bytes, String type) throws Exception {
        var answer = send(who, "POST", "/_matrix/media/v3/upload?filename=tea.png", bytes, "Content-Type", type);
        assertThat(answer.statusCode()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body()).path("content_uri").stringValue();
    }

    private static HttpResponse<byte[]> get(Session who, String kind, String uri, String query) throws Exception {
        String path = "/_matrix/client/v1/media/" + kind + "/" + uri.substring("mxc://".length()) + query;
        return send(who, "GET", path, new byte[0]);
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
        String uri = upload(ada, bytes, "application/octet-stream");
        String copy = upload(root, bytes, "application/octet-stream");
        String id = uri.substring(uri.lastIndexOf('/') + 1);

        var listed = root.call("GET", "/v3/admin/media?limit=1&user_id=" + ada.userId(), null);
        var file = listed.json().path("media").path(0);
        assertThat(listed.json().path("total").intValue()).isEqualTo(1);
        assertThat(file.path("media_id").stringValue()).isEqualTo(id);
        assertThat(file.path("size").intValue()).isEqualTo(bytes.length);
        assertThat(ada.call("GET", "/v3/admin/media", null).status()).isEqualTo(403);
        assertThat(root.call("GET", "/v3/admin/media?from=x", null).status()).isEqualTo(400);

        root.call("POST", "/v3/admin/media/" + id + "/quarantine", Map.of()).ok();
        assertThat(get(ada, "download", uri, "").statusCode()).isEqualTo(404);
        assertThat(get(ada, "download", copy, "").statusCode())
                .as("of the same content")
                .isEqualTo(404);
        assertThat(get(ada, "download", upload(ada, bytes, "image/png"), "").statusCode())
                .as("uploaded once more")
                .isEqualTo(404);
        root.call("POST", "/v3/admin/media/" + id + "/unquarantine", Map.of()).ok();
        assertThat(get(ada, "download", uri, "").body()).isEqualTo(bytes);

        root.call("DELETE", "/v3/admin/media/" + id, null).ok();
        assertThat(get(ada, "download", uri, "").statusCode()).isEqualTo(404);
        assertThat(get(ada, "download", copy, "").body()).isEqualTo(bytes);
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
    void aPictureReachesItsReadersAndStays() throws Exception {
        var ada = People.newcomer(rookery.http(), "ada");
        var grace = People.newcomer(rookery.http(), "grace");
        var room = People.roomOf(ada, grace);
        byte[] picture = picture();
        String sent = upload(ada, picture, "image/png");
        ada.send(room, "1", Map.of("msgtype", "m.image", "body", "tea.png", "url", sent))
                .ok();

        var heard = Session.timeline(grace.sync(SyncQuery.initial()), room).getLast();
        String uri = heard.path("content").path("url").asString();
        assertThat(uri).isEqualTo(sent).startsWith("mxc://localhost/");
        var download = get(grace, "download", uri, "");
        assertThat(download.body()).isEqualTo(picture);
        assertThat(download.headers().firstValue("Cross-Origin-Resource-Policy"))
                .contains("cross-origin");
        assertThat(download.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
        assertThat(download.headers().firstValue("Content-Disposition"))
                .get()
                .asString()
                .startsWith("inline");
        var thumbnail = ImageIO.read(new ByteArrayInputStream(
                get(grace, "thumbnail", uri, "?width=320&height=240").body()));
        assertThat(thumbnail.getWidth()).isEqualTo(320);

        try (var elsewhere = Http.to(rookery.site(ClusterExtension.SECOND_TENANT))) {
            assertThat(get(People.newcomer(elsewhere, "eve"), "download", uri, "")
                            .statusCode())
                    .isEqualTo(404);
        }
        assertThat(send(grace, "GET", "/_matrix/media/v3/download/" + uri.substring(6), new byte[0])
                        .statusCode())
                .isEqualTo(404);

        byte[] large = new byte[LARGE_BYTES];
        new Random(1).nextBytes(large);
        String file = upload(ada, large, "application/octet-stream");
        rookery.stop();
        rookery.startAgain();
        assertThat(get(grace, "download", uri, "").body()).isEqualTo(picture);
        assertThat(get(grace, "download", file, "").body()).isEqualTo(large);
        var config = send(grace, "GET", "/_api/client/v1/media/config", new byte[0]);
        assertThat(new String(config.body(), StandardCharsets.UTF_8)).isEqualTo("{\"m.upload.size\":52428800}");
    }
}
