// SPDX-License-Identifier: Apache-2.0
package rookery.auth.todevice;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.auth.RoomsStandIn;

/**
 * The waiting messages that are kept above the limits: 20 messages of all senders and 8 of one, 512 KB and 128 KB
 * (contract.md 13.5).
 */
class WaitingLimitsIT {
    private static final int SOME = 3;
    /** Two messages of this size fit into a sender's limit, three do not. */
    private static final int LARGE = 50_000;

    private final AuthServer server = AuthServer.sharedStrict();
    private final Answer ada = user();
    private final Answer bob = user();
    private int transactions;

    @Test
    void whoSendsTooManyPushesOutOnlyTheirOwnOldest() {
        var eve = user();
        IntStream.range(0, SOME).forEach(n -> send(ada, n, 0));
        IntStream.range(0, 30).forEach(n -> send(eve, n, 0));

        assertThat(of(ada)).containsExactly(0, 1, 2);
        assertThat(of(eve)).containsExactly(22, 23, 24, 25, 26, 27, 28, 29);
    }

    @Test
    void soDoBytes() {
        var eve = user();
        IntStream.range(0, SOME).forEach(n -> send(ada, n, 0));
        IntStream.range(0, 5).forEach(n -> send(eve, n, LARGE));

        assertThat(of(ada)).containsExactly(0, 1, 2);
        assertThat(of(eve)).containsExactly(3, 4);
    }

    @Test
    void whereAllSendTooManyTheSenderWithTheMostLosesTheOldest() {
        var senders = List.of(user(), user(), ada);
        senders.forEach(sender -> IntStream.range(0, 8).forEach(n -> send(sender, n, 0)));

        assertThat(senders.stream().mapToInt(sender -> of(sender).size()).sum()).isEqualTo(20);
        assertThat(senders)
                .allSatisfy(sender -> assertThat(of(sender))
                        .hasSizeGreaterThanOrEqualTo(6)
                        .endsWith(7)
                        .isSorted());
        var late = user();
        send(late, 0, 0);
        assertThat(of(late)).containsExactly(0);
    }

    @Test
    void whereAllSendTooManyBytesTheSenderWithTheMostLosesTheOldest() {
        var senders = List.of(user(), user(), user(), user(), user(), user());
        send(ada, 7, 0);
        senders.forEach(sender -> IntStream.range(0, 2).forEach(n -> send(sender, n, LARGE)));

        assertThat(of(ada)).containsExactly(7);
        assertThat(senders).allSatisfy(sender -> assertThat(of(sender)).endsWith(1));
        assertThat(server.count(
                        "SELECT sum(bytes)::int FROM auth.to_device_entry WHERE subject = '%s'".formatted(id(bob))))
                .isLessThanOrEqualTo(512 << 10)
                .isGreaterThan(400_000);
    }

    @Test
    void messagesToStrangersAreDroppedAndOnesOwnDevicesAreReached() {
        var eve = user();
        RoomsStandIn.estrange(id(eve));
        send(eve, 1, 0);
        String own = "{\"messages\":{\"%s\":{\"*\":{\"n\":2}}}}".formatted(id(eve));
        put(eve, own);

        assertThat(of(eve)).isEmpty();
        assertThat(server.count("SELECT count(*) FROM auth.to_device_entry WHERE subject = '%s'".formatted(id(eve))))
                .isEqualTo(1);
    }

    @Test
    void withoutRoomServiceTheSenderIsAskedToComeBack() {
        var eve = user();
        RoomsStandIn.leaveUnanswered(id(eve));

        assertThat(put(eve, body(1, 0)).status()).isEqualTo(503);
        assertThat(of(eve)).isEmpty();
    }

    private Answer user() {
        return server.register(ALPHA, AuthServer.name(), "correct horse");
    }

    private void send(Answer sender, int number, int padding) {
        assertThat(put(sender, body(number, padding)).raw().body()).isEqualTo("{}");
    }

    private Answer put(Answer sender, String body) {
        String path = "/_api/client/v3/sendToDevice/m.\"sender\":\"x/t".replace("\"", "%22") + ++transactions;
        return server.call(ALPHA, sender.text("access_token"), "PUT", path, body);
    }

    private String body(int number, int padding) {
        return "{\"messages\":{\"%s\":{\"*\":{\"n\":%d,\"x\":\"%s\"}}}}"
                .formatted(id(bob), number, "x".repeat(padding));
    }

    /** The numbers of the sender's waiting messages, the oldest first. */
    private List<Integer> of(Answer sender) {
        String path = "/internal/users/%s/devices/%s/to-device?tenant=1".formatted(id(bob), bob.text("device_id"));
        return server.internal("GET", path, null)
                .json()
                .path("messages")
                .valueStream()
                .filter(message -> message.path("sender").stringValue().equals(id(sender)))
                .map(message -> message.path("content").path("n").intValue())
                .toList();
    }

    private static String id(Answer session) {
        return session.text("user_id");
    }
}
