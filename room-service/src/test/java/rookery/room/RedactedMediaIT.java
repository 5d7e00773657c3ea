// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.Deadline;
import rookery.room.RoomServer.Client;

/** Files of redacted messages (contract.md 13.4). */
class RedactedMediaIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AtomicInteger TXN = new AtomicInteger();

    @RegisterExtension
    static final RoomServer server =
            RoomServer.own("--rookery.room.media.redacted.keep-for=0s", "--rookery.room.media.redacted.interval=100ms");

    private static MediaClient media;

    @BeforeAll
    static void start() {
        media = new MediaClient(server);
    }

    private static String upload(String user, String text) {
        return media.uploaded(user, text.getBytes(StandardCharsets.UTF_8), "?filename=a.txt");
    }

    private static String room() {
        String room = server.as("ada").createRoom("{\"preset\":\"public_chat\"}");
        assertThat(server.as("bob").post("/rooms/" + room + "/join", "{}").status())
                .isEqualTo(200);
        return room;
    }

    private static String show(Client who, String room, String content) {
        var answer = who.put("/rooms/" + room + "/send/m.room.message/t" + TXN.incrementAndGet(), content);
        assertThat(answer.status()).isEqualTo(200);
        return answer.text("event_id");
    }

    private static String file(String file) {
        return "{\"msgtype\":\"m.file\",\"body\":\"a.txt\",\"url\":\"mxc://" + file + "\"}";
    }

    private static void redact(Client who, String room, String event) {
        var answer = who.put("/rooms/" + room + "/redact/" + event + "/r" + TXN.incrementAndGet(), "{}");
        assertThat(answer.status()).isEqualTo(200);
    }

    private static int status(String file) {
        return media.download("bob", file).statusCode();
    }

    private static void awaitGone(String file) {
        assertThat(Deadline.in(PATIENCE).until(() -> status(file) == 404)).isTrue();
    }

    /** Waits until every redacted event was processed. */
    private static void awaitLookedAt() {
        assertThat(Deadline.in(PATIENCE).until(() -> count("room.media_reference WHERE redacted_ms IS NOT NULL") == 0))
                .isTrue();
    }

    private static long count(String rows) {
        Long count = server.bean(DatabaseClient.class)
                .sql("SELECT count(*) FROM " + rows)
                .mapValue(Long.class)
                .one()
                .block(PATIENCE);
        return count == null ? -1 : count;
    }

    @Test
    void theFileGoesWithTheMessageThatShowsItAndFreesWhatItTook() {
        var ada = server.as("ada");
        String room = room();
        String gone = upload("ada", "to be gone");
        String thumbnail = upload("ada", "its thumbnail");
        String event = show(
                ada,
                room,
                "{\"msgtype\":\"m.file\",\"body\":\"a.txt\",\"file\":{\"url\":\"mxc://" + gone
                        + "\"},\"info\":{\"thumbnail_url\":\"mxc://" + thumbnail + "\"}}");
        String stays = upload("ada", "to stay");
        show(ada, room, file(stays));
        String used = "room.media_usage WHERE uploader = '@ada:example.org' AND files >= 3";
        assertThat(count(used)).isEqualTo(1);

        redact(server.as("ada"), room, event);
        awaitGone(gone);
        awaitGone(thumbnail);
        assertThat(status(stays)).isEqualTo(200);
        assertThat(count("room.media_usage u WHERE u.files <> (SELECT count(*) FROM room.media m"
                        + " WHERE m.tenant = u.tenant AND u.uploader IN (m.uploader, ''))"))
                .isZero();
    }

    @Test
    void whatIsShownElsewhereStays() {
        String room = room();
        String shared = upload("ada", "shared");
        String first = show(server.as("ada"), room, file(shared));
        show(server.as("bob"), room(), file(shared));
        redact(server.as("ada"), room, first);
        awaitLookedAt();
        assertThat(status(shared)).isEqualTo(200);
    }

    @Test
    void theLastOfSeveralMessagesTakesItAlong() {
        String room = room();
        String shared = upload("ada", "shown twice");
        String first = show(server.as("ada"), room, file(shared));
        String second = show(server.as("bob"), room, file(shared));
        redact(server.as("ada"), room, first);
        awaitLookedAt();
        redact(server.as("ada"), room, second);
        awaitGone(shared);
    }

    @Test
    void nobodyRemovesTheFileOfAnotherByNamingIt() {
        String room = room();
        String adas = upload("ada", "not bob's");
        String event = show(server.as("bob"), room, file(adas));
        redact(server.as("bob"), room, event);
        awaitLookedAt();
        assertThat(status(adas)).isEqualTo(200);
    }

    @Test
    void pictureOfTheRoomStaysWhenAMessageWithItGoes() {
        String room = room();
        String picture = upload("ada", "a picture");
        var ada = server.as("ada");
        String event = show(ada, room, file(picture));
        assertThat(ada.put("/rooms/" + room + "/state/m.room.avatar/", "{\"url\":\"mxc://" + picture + "\"}")
                        .status())
                .isEqualTo(200);
        redact(ada, room, event);
        awaitLookedAt();
        assertThat(status(picture)).isEqualTo(200);
    }
}
