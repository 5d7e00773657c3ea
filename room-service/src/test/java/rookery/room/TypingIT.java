// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.kafka.core.ConsumerFactory;
import rookery.model.topic.EphemeralRecord;
import rookery.model.topic.EphemeralRecord.Typing;
import rookery.platform.ephemeral.EphemeralTail;
import rookery.room.RoomServer.Answer;

/** Typing notifications from the endpoint to the topic: contract.md 11.1, 11.2. */
class TypingIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** After this time without a record the request is repeated. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private static final BlockingQueue<EphemeralRecord> RECORDS = new LinkedBlockingQueue<>();

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static EphemeralTail tail;
    private static int names;

    private final String ada = "ada" + names;
    private final String eve = "eve" + names++;

    @BeforeAll
    @SuppressWarnings("unchecked") // the only bean of ConsumerFactory has these types
    static void start() {
        tail = new EphemeralTail(RECORDS::add, server.bean(ConsumerFactory.class), Clock.systemUTC());
        tail.start();
    }

    @AfterAll
    static void stop() {
        tail.close();
    }

    private static Answer type(String typist, String room, String user, String body) {
        return server.as(typist).put("/rooms/" + room + "/typing/@" + user + ":example.org", body);
    }

    /**
     * The record on the topic after a request with this body. A record may be lost while a machine is busy (contract.md 11.2), so
     * the request is repeated, as clients do.
     */
    private static Typing published(String typist, String room, String body, long timeoutMillis)
            throws InterruptedException {
        var answers = new ArrayList<String>();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            answers.add(type(typist, room, typist, body).toString());
            for (var record = next(); record != null; record = next()) {
                if (record instanceof Typing typing
                        && typing.room().value().equals(room)
                        && typing.timeoutMillis() == timeoutMillis) {
                    return typing;
                }
            }
        }
        throw new AssertionError("nothing with " + timeoutMillis + " ms was told; the answers were " + answers);
    }

    private static @Nullable EphemeralRecord next() throws InterruptedException {
        return RECORDS.poll(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void expect(Answer answer, int status, String errcode) {
        assertThat(answer.status() + " " + answer.errcode()).isEqualTo(status + " " + errcode);
    }

    @Test
    void typingIsToldWithItsTimeoutAndItsPlaceInTheRoom() throws Exception {
        String room = server.as(ada).createRoom("{\"preset\":\"public_chat\"}");
        assertThat(type(ada, room, ada, "{\"typing\":true}").json().toString()).isEqualTo("{}");
        var first = published(ada, room, "{\"typing\":true}", 30_000);
        assertThat(first.tenant().value()).isEqualTo(1);
        assertThat(first.user().value()).isEqualTo("@" + ada + ":example.org");
        published(ada, room, "{\"typing\":true,\"timeout\":5000}", 5_000);
        published(ada, room, "{\"typing\":true,\"timeout\":-7}", 1_000);
        published(ada, room, "{\"typing\":true,\"timeout\":9000000000}", 120_000);
        published(ada, room, "{\"typing\":true,\"timeout\":null}", 30_000);
        server.as(ada).send(room, "1", "hello");
        var last = published(ada, room, "{\"typing\":false,\"timeout\":\"whatever\"}", 0);
        assertThat(last.pos()).isGreaterThan(first.pos());
    }

    @Test
    void everyWrongTypingIsRefusedAsTheContractSays() {
        String room = server.as(ada).createRoom("{\"preset\":\"public_chat\"}");
        String right = "{\"typing\":true}";
        expect(type(ada, room, ada, ""), 400, "M_MISSING_PARAM");
        expect(type(ada, room, ada, "{"), 400, "M_NOT_JSON");
        expect(type(ada, room, ada, "{\"typing\":1}"), 400, "M_BAD_JSON");
        expect(type(ada, room, ada, "{\"typing\":true,\"timeout\":1.5}"), 400, "M_BAD_JSON");
        expect(type(ada, room, ada, "{\"typing\":true,\"timeout\":123456789012345678901}"), 400, "M_BAD_JSON");
        expect(type(ada, room, eve, right), 403, "M_FORBIDDEN");
        expect(type(ada, room, "%00", right), 403, "M_FORBIDDEN");
        expect(type(eve, room, eve, right), 403, "M_FORBIDDEN");
        expect(type(ada, "!nothing:example.org", ada, right), 403, "M_FORBIDDEN");
        var stranger = server.as("@" + ada + ":example.net");
        expect(stranger.put("/rooms/" + room + "/typing/" + stranger.user, right), 403, "M_FORBIDDEN");
    }
}
