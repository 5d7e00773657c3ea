// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.MediaClient.expect;
import static rookery.room.MediaClient.header;
import static rookery.room.MediaClient.id;
import static rookery.room.MediaClient.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.embedded.Deadline;

/** Uploads and downloads: contract.md 13.4, decision 0016. */
class MediaIT {
    private static final int MIB = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final byte[] PIXEL = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=");

    @RegisterExtension
    static final RoomServer server = RoomServer.own(
            "--rookery.media.size-max=21MB", "--rookery.tenants[1].settings.max-media-bytes-per-user=3000");

    private static MediaClient media;
    private static int seeds;

    @BeforeAll
    static void start() {
        media = new MediaClient(server);
    }

    private static synchronized byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(++seeds).nextBytes(bytes);
        return bytes;
    }

    private static String hash(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void whatWasUploadedIsDownloadedByOthersOfTheTenant() throws Exception {
        byte[] large = bytes(20 * MIB);
        String file = id(media.upload(
                "ada",
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)),
                "?filename=a%20%22b%22%2F%C3%A9.bin",
                "Content-Type",
                "application/x-thing"));
        assertThat(file).matches("example\\.org/[A-Za-z0-9]{24}");
        var answer = media.download("bob", file);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(Arrays.equals(answer.body(), large)).isTrue();
        assertThat(header(answer, "Content-Type")).isEqualTo("application/x-thing");
        assertThat(header(answer, "Content-Length")).isEqualTo("" + large.length);
        assertThat(header(answer, "Content-Disposition"))
                .startsWith("attachment; ")
                .endsWith("filename*=UTF-8''a%20%22b%22_%C3%A9.bin");
        assertThat(header(answer, "ETag")).isEqualTo("\"" + hash(large) + "\"");
        assertThat(header(answer, "Cache-Control")).isEqualTo("max-age=31536000, private, immutable");
        assertThat(header(answer, "Content-Security-Policy")).startsWith("sandbox; default-src 'none';");
        assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(answer, "Cross-Origin-Resource-Policy")).isEqualTo("cross-origin");
        assertThat(header(media.download("bob", file + "/other.name"), "Content-Disposition"))
                .contains("other.name");
        expect(media.download("@eve:example.net", file), 404, "M_NOT_FOUND");
        expect(media.download("@eve:example.net", file.replace("example.org", "example.net")), 404, "M_NOT_FOUND");
    }

    @Test
    void filesAreForTheirOwnerOnlyAndEqualOnesAreKeptOnce() throws Exception {
        byte[] same = bytes(1000);
        String first = media.uploaded("ada", same, "");
        assertThat(media.uploaded("bob", same, "")).isNotEqualTo(first);
        assertThat(media.files().stream().filter(hash(same)::equals)).hasSize(1);
        media.uploaded("@eve:example.net", same, "");
        assertThat(media.files().stream().filter(hash(same)::equals)).hasSize(2);
        try (var all = Files.walk(server.media)) {
            for (var path : all.skip(1).toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-9,        206, 0,   10",
        "bytes=990-,       206, 990, 1000",
        "bytes=-5,         206, 995, 1000",
        "bytes=500-5000,   206, 500, 1000",
        "'bytes=0-1,5-6',  200, 0,   1000",
        "bytes=x,          200, 0,   1000",
        "lines=0-9,        200, 0,   1000",
    })
    void partsAreServed(String range, int status, int from, int to) {
        byte[] all = bytes(1000);
        String file = media.uploaded("ada", all, "");
        var answer = media.download("ada", file, "Range", range);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(all, from, to));
        assertThat(header(answer, "Content-Range"))
                .isEqualTo(status == 200 ? "" : "bytes " + from + "-" + (to - 1) + "/1000");
    }

    @Test
    void whatTheClientHasIsNotSentAgain() throws Exception {
        byte[] all = bytes(1000);
        String file = media.uploaded("ada", all, "");
        String tag = "\"" + hash(all) + "\"";
        var same = media.download("ada", file, "If-None-Match", "\"x\", W/" + tag);
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(header(same, "ETag")).isEqualTo(tag);
        var beyond = media.download("ada", file, "Range", "bytes=1000-");
        assertThat(beyond.statusCode()).isEqualTo(416);
        assertThat(header(beyond, "Content-Range")).isEqualTo("bytes */1000");
        var other = media.download("ada", file, "Range", "bytes=0-1", "If-Range", "\"other\"");
        assertThat(other.statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "If-None-Match,       x,                       200",
        "If-None-Match,       '',                      200",
        "If-None-Match,       '\"',                     200",
        "If-None-Match,       'W/',                    200",
        "If-None-Match,       '\"a\", b, W/\"',         200",
        "If-None-Match,       'TAG, x',                304",
        "If-None-Match,       W/TAG,                   304",
        "If-None-Match,       ' * ',                   304",
        "If-Modified-Since,   yesterday,               200",
        "If-Modified-Since,   '',                      200",
        "If-Unmodified-Since, 1,                       200",
        "If-Range,            x,                       200",
        "If-Match,            x,                       200",
        "Range,               '',                      200",
        "Range,               bytes=,                  200",
        "Range,               bytes=5-3,               200",
        "Range,               bytes=--1,               200",
        "Range,               bytes=-0,                416",
        "Range,               bytes=0-99999999999999999999, 200",
        "Range,               bytes=0-9223372036854775807,  206",
    })
    void conditionsAreHonouredOrIgnored(String name, String value, int status) throws Exception {
        byte[] all = bytes(1000);
        String file = media.uploaded("ada", all, "");
        String condition = value.replace("TAG", "\"" + hash(all) + "\"");
        assertThat(media.download("ada", file, name, condition).statusCode()).isEqualTo(status);
    }

    @Test
    void anEmptyFileIsOne() {
        String file = id(media.upload("ada", BodyPublishers.noBody(), "", "Content-Type", "text/plain"));
        var answer = media.download("ada", file);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void whatIsTooLargeIsRefusedAndLeavesNothing() {
        int before = media.files().size();
        byte[] large = bytes(21 * MIB + 1);
        expect(media.upload("ada", BodyPublishers.ofByteArray(large), ""), 413, "M_TOO_LARGE");
        expect(
                media.upload("ada", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)), ""),
                413,
                "M_TOO_LARGE");
        media.uploaded("ada", Arrays.copyOf(large, 21 * MIB), "");
        assertThat(media.files()).hasSize(before + 1);
    }

    @Test
    void anUploadThatIsBrokenOffLeavesNothing() throws IOException {
        int before = media.files().size();
        var request = server.as("ada").request("POST", MediaClient.UPLOAD).build();
        var signature = request.headers().map().entrySet().iterator().next();
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), request.uri().getPort())) {
            socket.getOutputStream()
                    .write(("POST " + MediaClient.UPLOAD + " HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n"
                                    + signature.getKey() + ": "
                                    + signature.getValue().getFirst() + "\r\n\r\n")
                            .getBytes(UTF_8));
            socket.getOutputStream().write(bytes(100_000));
            assertThat(Deadline.in(PATIENCE).until(() -> media.files().size() == before + 1))
                    .isTrue();
        }
        assertThat(Deadline.in(PATIENCE).until(() -> media.files().size() == before))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>, image/png, image/png, attachment",
        "<?xml version='1.0'?><svg><script>alert(1)</script></svg>, image/svg+xml, image/svg+xml, attachment",
        "  <HTML><script>alert(1)</script>, text/plain, text/plain, attachment",
        "<!-- x --><script>alert(1)</script>, image/gif, image/gif, attachment",
        "<p>page, nothing, text/html, attachment",
        "GIF89a/*<script>alert(1)</script>*/=1, text/html, text/html, attachment",
        "GIF89a, image/png, image/png, inline",
        "GIF89a, nothing, image/gif, inline",
        "%PDF-1.7, image/png, image/png, attachment",
        "no picture, image/png, image/png, attachment",
        "hello, text/plain; charset=utf-8, text/plain; charset=utf-8, inline",
        "hello, text/html, text/html, attachment",
        "hello, application/javascript, application/javascript, attachment",
        "hello, nothing, application/octet-stream, attachment",
        "OggS.., audio/ogg, audio/ogg, inline",
        "OggS.., application/ogg, application/ogg, attachment",
        "hello, text/plain; charset=unheard-of, text/plain; charset=unheard-of, inline",
    })
    void theDeclaredTypeComesBackAndNothingThatRunsIsShown(
            String content, String declared, String type, String disposition) {
        byte[] bytes = content.getBytes(ISO_8859_1);
        String uploaded = media.uploaded("ada", bytes, "", "Content-Type", declared);
        String reserved = id(media.send("ada", "POST", "/_api/media/v1/create", BodyPublishers.noBody()));
        var filled = media.send(
                "ada",
                "PUT",
                MediaClient.UPLOAD + "/" + reserved,
                BodyPublishers.ofByteArray(bytes),
                "Content-Type",
                declared);
        assertThat(filled.statusCode()).isEqualTo(200);
        for (String file : List.of(uploaded, reserved)) {
            var answer = media.download("ada", file);
            assertThat(answer.body()).isEqualTo(bytes);
            assertThat(header(answer, "Content-Type")).isEqualTo(type);
            assertThat(header(answer, "Content-Disposition")).isEqualTo(disposition);
            assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(header(answer, "Content-Security-Policy")).startsWith("sandbox; default-src 'none';");
        }
    }

    @Test
    void aThumbnailHasTheTypeOfItsBytes() {
        String file = media.uploaded("ada", PIXEL, "?filename=x.html", "Content-Type", "text/html");
        assertThat(header(media.download("ada", file), "Content-Disposition")).startsWith("attachment; ");

        var thumbnail = media.get("ada", "/_api/client/v1/media/thumbnail/" + file + "?width=9&height=9");
        assertThat(header(thumbnail, "Content-Type")).isEqualTo("image/png");
        assertThat(header(thumbnail, "Content-Disposition")).startsWith("inline; ");
    }

    @Test
    void thereIsNothingUnderOtherIdsAndWithoutAToken() {
        String file = media.uploaded("ada", bytes(10), "");
        expect(media.download("ada", "example.org/nothing"), 404, "M_NOT_FOUND");
        expect(media.download("ada", "example.org/..%2F..%2Fetc"), 404, "M_NOT_FOUND");
        expect(media.download("ada", file.replace("example.org", "other.org")), 404, "M_NOT_FOUND");
        expect(media.get("ada", "/_api/media/v3/download/" + file), 404, "M_NOT_FOUND");
    }

    @Test
    void clientsAreToldTheLargestSize() {
        for (String path : new String[] {"/_api/client/v1/media/config", "/_api/media/v3/config"}) {
            assertThat(json(media.get("ada", path)).path("m.upload.size").longValue())
                    .isEqualTo(21 * MIB);
        }
    }

    @Test
    void uploadsAtTheSameTimeDoNotGoBeyondAQuotaTogether() {
        String racer = "@racer:example.net";
        var statuses = Flux.range(0, 8)
                .flatMap(_ -> Mono.fromCallable(() -> media.upload(racer, BodyPublishers.ofByteArray(bytes(1100)), "")
                                .statusCode())
                        .subscribeOn(Schedulers.boundedElastic()))
                .collectList()
                .block();
        assertThat(statuses)
                .containsOnly(200, 403)
                .filteredOn(status -> status == 200)
                .hasSize(2);
    }

    @Test
    void nobodyUploadsMoreThanTheirQuota() {
        String greedy = "@greedy:example.net";
        media.uploaded(greedy, bytes(2000), "");
        int before = media.files().size();
        byte[] more = bytes(1001);
        expect(media.upload(greedy, BodyPublishers.ofByteArray(more), ""), 403, "M_FORBIDDEN");
        expect(
                media.upload(greedy, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(more)), ""),
                403,
                "M_FORBIDDEN");
        assertThat(media.files()).hasSize(before);
        media.uploaded(greedy, bytes(1000), "");
        expect(media.upload(greedy, BodyPublishers.ofByteArray(bytes(1)), ""), 403, "M_FORBIDDEN");
        media.uploaded("@modest:example.net", bytes(1000), "");
        var counted =
                server.bean(DatabaseClient.class).sql("""
                        SELECT sum(bytes)::bigint FROM room.media_usage WHERE tenant = 2 AND uploader = '@greedy:example.net'
                        """).mapValue(Long.class).one();
        assertThat(counted.block()).isEqualTo(3000L);
    }
}
