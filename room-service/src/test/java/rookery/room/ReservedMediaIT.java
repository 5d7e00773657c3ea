// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.MediaClient.expect;
import static rookery.room.MediaClient.header;
import static rookery.room.MediaClient.id;
import static rookery.room.MediaClient.json;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;

/** Media ids reserved before the upload: contract.md 13.4, 14. */
class ReservedMediaIT {
    private static final String CREATE = "/_api/media/v1/create";

    @RegisterExtension
    static final RoomServer server = RoomServer.own("--rookery.room.media.serves-without-token=true");

    private static MediaClient media;

    @BeforeAll
    static void start() {
        media = new MediaClient(server);
    }

    private static HttpResponse<byte[]> create(String user) {
        return media.send(user, "POST", CREATE, BodyPublishers.noBody());
    }

    private static HttpResponse<byte[]> put(String user, String file, String text) {
        return media.send(
                user,
                "PUT",
                MediaClient.UPLOAD + "/" + file + "?filename=a.txt",
                BodyPublishers.ofByteArray(text.getBytes(UTF_8)),
                "Content-Type",
                "text/plain");
    }

    @Test
    void somethingIsUploadedToAReservedIdOnce() {
        var created = create("ada");
        String file = id(created);
        assertThat(json(created).path("unused_expires_at").longValue())
                .isGreaterThan(Instant.now().plusSeconds(23 * 3600).toEpochMilli());
        expect(media.download("bob", file + "?timeout_ms=0"), 504, "M_NOT_YET_UPLOADED");
        expect(put("bob", file, "mine"), 403, "M_FORBIDDEN");
        expect(put("@ada:example.net", file, "mine"), 404, "M_NOT_FOUND");
        assertThat(put("ada", file, "hello").statusCode()).isEqualTo(200);
        var answer = media.download("bob", file);
        assertThat(answer.body()).isEqualTo("hello".getBytes(UTF_8));
        assertThat(header(answer, "Content-Disposition")).startsWith("inline; ").contains("a.txt");
        expect(put("ada", file, "other"), 409, "M_CANNOT_OVERWRITE_MEDIA");
        expect(put("ada", "example.org/nothing", "x"), 404, "M_NOT_FOUND");
        expect(put("ada", "other.org/" + file.substring(file.indexOf('/') + 1), "x"), 404, "M_NOT_FOUND");
        assertThat(media.get("bob", "/_api/media/v3/download/" + file).body()).isEqualTo("hello".getBytes(UTF_8));
    }

    @Test
    void whoAsksBeforeTheUploadWaitsForIt() {
        String file = id(create("ada"));
        var waiting = CompletableFuture.supplyAsync(() -> media.download("bob", file + "?timeout_ms=10000"));
        var thumbnail = CompletableFuture.supplyAsync(() ->
                media.get("bob", "/_api/client/v1/media/thumbnail/" + file + "?width=32&height=32&timeout_ms=10000"));
        expect(media.download("carl", file + "?timeout_ms=1"), 504, "M_NOT_YET_UPLOADED");
        assertThat(put("ada", file, "late").statusCode()).isEqualTo(200);
        assertThat(waiting.join().body()).isEqualTo("late".getBytes(UTF_8));
        expect(thumbnail.join(), 400, "M_INVALID_PARAM");
    }

    @Test
    void nobodyReservesMoreThanTenAndTheyEnd() {
        String file = id(create("eager"));
        for (int i = 1; i < 10; i++) {
            id(create("eager"));
        }
        var refused = create("eager");
        expect(refused, 429, "M_LIMIT_EXCEEDED");
        assertThat(json(refused).path("retry_after_ms").longValue()).isPositive();
        assertThat(put("eager", file, "x").statusCode()).isEqualTo(200);
        String next = id(create("eager"));
        server.bean(DatabaseClient.class)
                .sql("UPDATE room.media SET unused_until_ms = 1 WHERE tenant = 1 AND uploader = '@eager:example.org'"
                        + " AND sha256 IS NULL")
                .fetch()
                .rowsUpdated()
                .block();
        expect(media.download("eager", next), 404, "M_NOT_FOUND");
        expect(put("eager", next, "x"), 404, "M_NOT_FOUND");
        id(create("eager"));
    }
}
