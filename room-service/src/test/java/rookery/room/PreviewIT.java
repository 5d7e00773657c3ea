// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.MediaClient.expect;
import static rookery.room.MediaClient.json;
import static rookery.room.MediaClient.text;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.embedded.Deadline;

/** Previews of URLs (contract.md 13.4), of hostile pages, too. */
class PreviewIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PATH = "/_api/client/v1/media/preview_url";
    private static final String KEY = "--rookery.room.media.preview.";
    private static final StrangeSites SITES = new StrangeSites();

    @RegisterExtension
    static final RoomServer server = RoomServer.own(
            KEY + "enabled=true",
            "--rookery.tenants[1].settings.url-previews=false",
            KEY + "allow-private=true",
            KEY + "ports[0]=" + SITES.port(),
            KEY + "denied-hosts[0]=localhost",
            KEY + "timeout=8s",
            KEY + "picture-max=100KB",
            KEY + "pictures-max=200KB",
            KEY + "interval=100ms");

    /** The default settings with previews switched on. */
    @RegisterExtension
    static final RoomServer strict = RoomServer.own(KEY + "enabled=true", KEY + "ports[0]=" + SITES.port());

    private static MediaClient media;

    @BeforeAll
    static void start() {
        media = new MediaClient(server);
    }

    @AfterAll
    static void stop() {
        SITES.close();
    }

    private static HttpResponse<byte[]> ask(String user, String url) {
        return media.get(user, PATH + query(url));
    }

    private static String query(String url) {
        return "?url=" + URLEncoder.encode(url, StandardCharsets.UTF_8);
    }

    private static String preview(String path) {
        var answer = ask("ada", SITES.url(path));
        assertThat(answer.statusCode()).as("%s", text(answer)).isEqualTo(200);
        return text(answer);
    }

    /** The media id of a preview's picture. */
    private static String picture(String path) {
        String uri = json(ask("ada", SITES.url(path))).path("og:image").asString("");
        assertThat(uri).startsWith("mxc://example.org/");
        return uri.substring("mxc://".length());
    }

    private static long count(String rows) {
        return Objects.requireNonNull(server.bean(DatabaseClient.class)
                .sql("SELECT count(*) FROM " + rows)
                .mapValue(Long.class)
                .one()
                .block(PATIENCE));
    }

    private static void change(String sql) {
        server.bean(DatabaseClient.class).sql(sql).then().block(PATIENCE);
    }

    @Test
    void pageIsAskedOnceAndShownToAllWithItsPicture() {
        var answer = json(ask("ada", SITES.url("/page/a#part")));
        assertThat(answer.path("og:title").stringValue()).isEqualTo("a page");
        assertThat(answer.path("og:image:type").stringValue()).isEqualTo("image/png");
        assertThat(answer.path("og:image:width").intValue()).isEqualTo(1);
        assertThat(answer.path("og:image:height").intValue()).isEqualTo(1);
        assertThat(answer.path("matrix:image:size").intValue()).isEqualTo(StrangeSites.PIXEL.length);
        String file = answer.path("og:image").stringValue().substring("mxc://".length());
        assertThat(media.download("bob", file).body()).isEqualTo(StrangeSites.PIXEL);
        expect(media.download("@eve:example.net", file), 404, "M_NOT_FOUND");

        assertThat(json(ask("bob", SITES.url("/page/a")))).isEqualTo(answer);
        assertThat(json(media.get("bob", "/_api/media/v3/preview_url" + query(SITES.url("/page/a")) + "&ts=1")))
                .isEqualTo(answer);
        assertThat(SITES.requests("/page/a")).isEqualTo(1);
        assertThat(SITES.requests("/picture/a.png")).isEqualTo(1);
        assertThat(count("room.media_usage WHERE uploader LIKE '@ada:%' OR uploader LIKE '@bob:%'"))
                .isZero();
    }

    @Test
    void pictureIsItsOwnPreview() {
        assertThat(preview("/picture/b.png"))
                .contains("\"og:image\":\"mxc://example.org/")
                .doesNotContain("og:title");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/empty            | {}",
                "/nothing          | {}",
                "/pdf              | {}",
                "/no-picture.png   | {}",
                "/broken.png       | {}",
                "/endless.png      | {}",
                "/endless          | {\"og:title\":\"endless\"}",
                "/hop3             | {\"og:title\":\"behind hops\"}",
                "/with-endless.png | {\"og:title\":\"t\"}",
                "/with-no-picture.png | {\"og:title\":\"t\"}",
                "/with-broken.png  | {\"og:title\":\"t\"}",
                "/with-missing     | {\"og:title\":\"t\"}",
                "/with-loop        | {\"og:title\":\"t\"}",
                "/with-to-file     | {\"og:title\":\"t\"}",
            })
    void whatAPageSaysIsShownAndNothingElse(String path, String answer) {
        assertThat(preview(path)).isEqualTo(answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/missing",
                "/failing",
                "/hop4",
                "/loop",
                "/nowhere",
                "/to-file",
                "/to-port",
                "/to-denied",
                "/compressed",
                "/long-header",
                "/cut",
            })
    void pageThatCannotBeFetchedIsNotFoundAndNotAskedAgainSoon(String path) {
        expect(ask("ada", SITES.url(path)), 404, "M_NOT_FOUND");
        int requests = SITES.requests(path);
        expect(ask("bob", SITES.url(path)), 404, "M_NOT_FOUND");
        assertThat(SITES.requests(path)).isEqualTo(requests).isPositive();
        assertThat(SITES.requests("/denied")).isZero();
    }

    @Test
    void slowPagesAndPicturesAreGivenUp() {
        var fetches = Flux.just("/silent", "/trickle", "/with-silent")
                .flatMapSequential(path -> Mono.fromCallable(() -> ask("user" + path.length(), SITES.url(path)))
                        .subscribeOn(Schedulers.boundedElastic()))
                .collectList();
        var answers = Objects.requireNonNull(fetches.block(PATIENCE));
        assertThat(answers).hasSize(3);
        expect(answers.get(0), 404, "M_NOT_FOUND");
        expect(answers.get(1), 404, "M_NOT_FOUND");
        assertThat(text(answers.get(2))).isEqualTo("{\"og:title\":\"t\"}");
    }

    @Test
    void whatIsNoAddressOfAPageIsRefused() {
        expect(media.get("ada", PATH), 400, "M_MISSING_PARAM");
        expect(ask("ada", "nonsense"), 400, "M_INVALID_PARAM");
        expect(ask("ada", "file:///etc/passwd"), 400, "M_INVALID_PARAM");
        expect(ask("ada", "http://0x7f.1:" + SITES.port() + "/"), 400, "M_INVALID_PARAM");
        expect(media.get("ada", PATH + query(SITES.url("/nothing")) + "&ts=x"), 400, "M_INVALID_PARAM");
    }

    @Test
    void tenantWithoutPreviewsHasNoSuchEndpoint() {
        expect(ask("@eve:example.net", SITES.url("/page/off")), 404, "M_UNRECOGNIZED");
        expect(media.get("@eve:example.net", PATH), 404, "M_UNRECOGNIZED");
        assertThat(SITES.requests("/page/off")).isZero();
    }

    /** Clients cannot find out whether an address of the network answers. */
    @Test
    void addressesThatAreNotPublicAreNotAskedAndAnsweredAlike() {
        var client = new MediaClient(strict);
        var answers = List.of(
                client.get("ada", PATH + query(SITES.url("/page/strict"))),
                client.get("ada", PATH + query("http://127.0.0.1:1/")),
                client.get("ada", PATH + query("http://localhost:" + SITES.port() + "/page/strict")),
                client.get("ada", PATH + query("http://[::1]:" + SITES.port() + "/page/strict")),
                client.get("ada", PATH + query("http://169.254.169.254:" + SITES.port() + "/")),
                client.get("ada", PATH + query("http://nobody.invalid:" + SITES.port() + "/")));
        assertThat(answers).allSatisfy(answer -> expect(answer, 404, "M_NOT_FOUND"));
        assertThat(answers.stream().map(MediaClient::text).distinct()).hasSize(1);
        assertThat(SITES.requests("/page/strict")).isZero();
    }

    @Test
    void userWaitsForPreviewsAndSharesThemWithOthers() {
        var waiting = Flux.just("/gate/1", "/gate/2", "/gate/1", "/gate/2")
                .flatMap(path ->
                        Mono.fromCallable(() -> ask("carl", SITES.url(path))).subscribeOn(Schedulers.boundedElastic()))
                .collectList()
                .toFuture();
        assertThat(Deadline.in(PATIENCE).until(() -> SITES.requests("/gate/1") + SITES.requests("/gate/2") == 2))
                .isTrue();
        expect(ask("carl", SITES.url("/gate/3")), 429, "M_LIMIT_EXCEEDED");
        assertThat(preview("/page/beside")).contains("a page");
        var late = Mono.fromCallable(() -> ask("dora", SITES.url("/gate/4")))
                .subscribeOn(Schedulers.boundedElastic())
                .toFuture();
        assertThat(Deadline.in(PATIENCE).until(() -> SITES.requests("/gate/4") == 1))
                .isTrue();
        String ofAnotherInstance = "{\"og:title\":\"of another instance\"}";
        change("INSERT INTO room.preview (tenant, url_hash, answer, created_ms, expires_ms) VALUES (1, sha256('"
                + SITES.url("/gate/4") + "'), '" + ofAnotherInstance + "', 0, 9999999999999)");
        SITES.openGate();
        assertThat(text(late.join())).isEqualTo(ofAnotherInstance);
        assertThat(waiting.join())
                .hasSize(4)
                .allSatisfy(answer -> assertThat(text(answer)).isEqualTo("{\"og:title\":\"late\"}"));
        assertThat(SITES.requests("/gate/1")).isEqualTo(1);
        assertThat(SITES.requests("/gate/3")).isZero();
        assertThat(ask("carl", SITES.url("/gate/3")).statusCode()).isEqualTo(200);
    }

    @Test
    void previewGoesWithItsPictureWhenItHasExpired() {
        String file = picture("/page/expires");
        assertThat(media.download("ada", file).statusCode()).isEqualTo(200);
        String row = "room.preview WHERE media_id = '" + file.substring("example.org/".length()) + "'";
        assertThat(count(row)).isEqualTo(1);
        change("UPDATE " + row.replace(" WHERE", " SET expires_ms = 0 WHERE"));
        assertThat(Deadline.in(PATIENCE).until(() -> count(row) == 0)).isTrue();
        expect(media.download("ada", file), 404, "M_NOT_FOUND");
        assertThat(picture("/page/expires")).isNotEqualTo(file);
        assertThat(count("room.media_usage u WHERE u.files <> (SELECT count(*) FROM room.media m"
                        + " WHERE m.tenant = u.tenant AND u.uploader IN (m.uploader, ''))"))
                .isZero();
    }

    @Test
    void pictureThatAnAdministratorDeletedIsNotShown() {
        String file = picture("/page/deleted");
        var deleted = server.internal(
                "POST",
                "/internal/admin/media/delete",
                "{\"tenant\":1,\"id\":\"" + file.substring("example.org/".length()) + "\"}");
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(preview("/page/deleted")).isEqualTo("{\"og:title\":\"a page\"}");
    }

    @Test
    void olderPreviewsMakeRoomForNewPictures() {
        String first = picture("/page/large-1");
        picture("/page/large-2");
        String third = picture("/page/large-3");
        expect(media.download("ada", first), 404, "M_NOT_FOUND");
        assertThat(media.download("ada", third).statusCode()).isEqualTo(200);
    }
}
