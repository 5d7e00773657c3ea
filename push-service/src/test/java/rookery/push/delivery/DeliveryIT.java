// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static rookery.push.delivery.PushWorld.ADA;
import static rookery.push.delivery.PushWorld.BOB;
import static rookery.push.delivery.PushWorld.ROOM;
import static rookery.push.delivery.PushWorld.verdict;
import static rookery.push.delivery.RecordingGateway.text;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.platform.push.Verdict;
import rookery.push.PushNode.UserDevice;
import tools.jackson.databind.json.JsonMapper;

/** The requests to gateways and the outcomes of units (contract.md 12.5, 12.7, 14). */
class DeliveryIT {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final EventId THREAD = new EventId("$thread");

    @RegisterExtension
    static final PushWorld world = new PushWorld(1);

    @Test
    void pushSaysWhatTheContractSays() {
        world.setPusher(ADA, "key", "/push", "\"data\":{\"x\":{\"y\":1},\"format\":\"other\"}");
        var sound = Map.of("set_tweak", "sound", "value", "ping");
        var event = world.event(ROOM, "a", "m.room.member", "@ada:one.example", "{\"membership\":\"invite\"}", null);
        world.add(List.of(new NewUnit(event, ADA.user(), verdict("notify", sound, Map.of("set_tweak", "highlight")))));
        var sent = world.gateway.await("/push", 1).getFirst().notification();
        assertThat(sent).isEqualTo(JSON.readTree("""
                {"event_id":"$a","room_id":"%s","type":"m.room.member","sender":"@carl:one.example",
                 "sender_display_name":"Carl","room_name":"The room","room_alias":"#room:one.example","user_is_target":true,
                 "prio":"high","content":{"membership":"invite"},"counts":{},
                 "devices":[{"app_id":"app","pushkey":"key","pushkey_ts":%d,"data":{"x":{"y":1},"format":"other"},
                             "tweaks":{"sound":"ping","highlight":true}}]}
                """.formatted(
                        ROOM.value(), world.clock.instant().getEpochSecond())));
        world.awaitUnits("a", "delivered 1");
        assertThat(world.query("SELECT last_status || ' ' || app_id || ' ' || pushkey_hash FROM push.unit"))
                .containsExactly("200 app 2c70e12b7a0646f9"); // the prefix of the SHA-256 of "key"
    }

    @Test
    void eventIdOnlyIsOnlyThat() {
        world.setPusher(ADA, "key", "/push", "\"data\":{\"format\":\"event_id_only\",\"x\":1}");
        world.add(world.message("a"), ADA);
        assertThat(world.gateway.await("/push", 1).getFirst().notification()).isEqualTo(JSON.readTree("""
                {"event_id":"$a","room_id":"%s","counts":{},
                 "devices":[{"app_id":"app","pushkey":"key","pushkey_ts":%d,"data":{"format":"event_id_only","x":1}}]}
                """.formatted(
                        ROOM.value(), world.clock.instant().getEpochSecond())));
    }

    @ParameterizedTest
    @CsvSource({
        "m.room.message, '', low",
        "m.room.message, sound, high",
        "m.room.message, highlight, high",
        "m.room.message, colour, low",
        "m.call.invite, '', high",
        "m.room.encrypted, '', high",
    })
    void priorityFollowsTweaksAndType(String type, String tweak, String prio) {
        world.setPusher(ADA, "key", "/push");
        var value = tweak.equals("highlight") ? (Object) true : "x";
        var actions =
                tweak.isEmpty() ? verdict("notify") : verdict("notify", Map.of("set_tweak", tweak, "value", value));
        world.add(List.of(new NewUnit(world.event(ROOM, "a", type, null, "{}", null), ADA.user(), actions)));
        assertThat(world.gateway
                        .await("/push", 1)
                        .getFirst()
                        .notification()
                        .path("prio")
                        .asString())
                .isEqualTo(prio);
    }

    @Test
    void largeContentIsLeftOut() {
        world.setPusher(ADA, "key", "/push");
        var fits = "{\"body\":\"%s\\u0000\"}".formatted("x".repeat(4079));
        assertThat(fits).hasSize(4096);
        world.add(world.event(ROOM, "a", "m.x", null, fits, null), ADA);
        world.add(
                world.event(
                        ROOM,
                        "b",
                        "m.x",
                        null,
                        fits.replace("xx", "xxx").substring(0, 1) + "\"z\":1," + fits.substring(1),
                        null),
                ADA);
        var sent = world.gateway.await("/push", 2);
        for (var request : sent) {
            assertThat(request.notification().has("content"))
                    .isEqualTo(request.eventId().equals("$a"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200|{}|delivered 1",
                "201|{\"rejected\":[\"other\"]}|delivered 1",
                "200|{\"rejected\":null}|delivered 1",
                "200|{\"rejected\":[\"key\",\"other\"]}|rejected 1",
                "200|''|pending 1",
                "204|''|pending 1",
                "200|no json|pending 1",
                "200|[]|pending 1",
                "200|{\"rejected\":\"key\"}|pending 1",
                "200|{\"rejected\":[1]}|pending 1",
                "301|{\"rejected\":[]}|pending 1",
                "302|{\"rejected\":[]}|pending 1",
                "307|{\"rejected\":[]}|pending 1",
                "400|{\"rejected\":[\"key\"]}|pending 1",
                "404|{}|pending 1",
                "500|{}|pending 1",
                "503|{}|pending 1",
            })
    void answerDecidesTheOutcome(int status, String body, String outcome) {
        world.setPusher(ADA, "key", "/push");
        world.gateway.behave("/push", text(status, body));
        world.add(world.message("a"), ADA);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> !world.query("SELECT 1 FROM push.unit WHERE last_status IS NOT NULL")
                        .isEmpty());
        world.awaitUnits("a", outcome);
        assertThat(world.query("SELECT last_status FROM push.unit")).containsExactly(Integer.toString(status));
        assertThat(world.gateway.requests())
                .extracting(RecordingGateway.Request::path)
                .containsExactly("/push");
        assertThat(world.query("SELECT failing_since IS NOT NULL FROM push.pusher"))
                .isEqualTo(outcome.startsWith("rejected") ? List.of() : List.of(outcome.startsWith("p") ? "t" : "f"));
    }

    @Test
    void endlessAnswerIsNotReadToItsEnd() {
        world.setPusher(ADA, "key", "/push");
        world.gateway.behave("/push", RecordingGateway.ENDLESS);
        world.add(world.message("a"), ADA);
        await().atMost(Duration.ofSeconds(9))
                .until(() -> world.query("SELECT last_status FROM push.unit").equals(List.of("200")));
        assertThat(world.units("a")).containsExactly("pending 1");
        await().atMost(Duration.ofSeconds(9)).until(() -> world.gateway.open() == 0);
    }

    @Test
    void unreachableGatewayIsAFailure() {
        world.setPusherAt(ADA, "refused", "http://127.0.0.1:1/");
        world.setPusherAt(ADA, "no tls", world.gateway.url("/push").replace("http:", "https:"));
        world.setPusherAt(ADA, "no name", "http://nobody.invalid/");
        world.add(world.message("a"), ADA);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> world.query("SELECT 1 FROM push.pusher WHERE failing_since IS NOT NULL")
                                .size()
                        == 3);
        world.awaitUnits("a", "pending 1", "pending 1", "pending 1");
        assertThat(world.query("SELECT 1 FROM push.unit WHERE last_status IS NOT NULL"))
                .isEmpty();
    }

    @Test
    void rejectedPusherIsGoneWithAllThatWaitedForIt() {
        world.gateway.behave("/push", text(500, ""));
        world.setPusher(ADA, "key", "/push");
        world.setPusher(ADA, "other", "/other");
        world.add(world.message("a"), ADA);
        world.awaitUnits("a", "pending 1", "delivered 1");
        world.gateway.behave("/push", text(200, "{\"rejected\":[\"key\"]}"));
        world.add(world.message("b"), ADA);
        world.awaitUnits("b", "rejected 1", "delivered 1");
        world.awaitUnits("a", "superseded 1", "delivered 1");
        assertThat(world.query("SELECT pushkey FROM push.pusher")).containsExactly("other");
    }

    @Test
    void unitOfAPusherThatIsGoneIsDroppedWhenItIsDue() {
        world.gateway.behave("/push", text(500, ""));
        world.setPusher(ADA, "key", "/push");
        world.add(world.message("a"), ADA);
        world.gateway.await("/push", 1);
        world.nodes.getFirst().call(ADA, "DELETE", "/v3/pushers/key", null);
        world.setPusher(ADA, "key", "/push");
        world.clock.advance(Duration.ofMinutes(5));
        world.awaitUnits("a", "superseded 1");
        assertThat(world.gateway.requests("/push")).hasSize(1);
    }

    @Test
    void unitIsMadeOnceForPushersThatWereThereBeforeTheEvent() {
        var event = world.message("a");
        world.clock.advance(Duration.ofSeconds(1));
        world.setPusher(ADA, "young", "/young");
        world.setPusher(BOB, "bob", "/bob");
        world.setPusher(new UserDevice(2, "ada", "DEVICE"), "key", "/elsewhere");
        var next = world.message("b");
        for (int i = 0; i < 3; i++) {
            world.add(event, ADA, BOB);
            world.add(next, ADA);
            world.awaitUnits("b", "delivered 1");
        }
        assertThat(world.units("a")).isEmpty();
        assertThat(world.gateway.requests()).hasSize(1);
        assertThat(world.query("SELECT event_id FROM push.pushed_event")).containsExactly("$b");
    }

    @Test
    void settingThePusherAgainLosesNothing() {
        world.setPusher(ADA, "key", "/push");
        var event = world.message("a");
        world.clock.advance(Duration.ofSeconds(1));
        world.setPusher(ADA, "key", "/moved");
        world.add(event, ADA);
        assertThat(world.gateway.await("/moved", 1)).hasSize(1);
    }

    @Test
    void eventOfMoreThanADayAgoIsNotPushed() {
        world.setPusher(ADA, "key", "/push");
        var event = world.message("a");
        var late = world.message("b");
        world.clock.advance(Duration.ofDays(1));
        world.add(event, ADA);
        assertThat(world.units("a")).isEmpty();
        assertThat(late.ts()).isEqualTo(event.ts());
    }

    @Test
    void whatWasReadOrRedactedMeanwhileIsNotPushedAgain() {
        world.gateway.behave("/push", text(500, ""));
        world.setPusher(ADA, "key", "/push");
        world.setPusher(BOB, "bob", "/push");
        var read = world.message("read");
        var redacted = world.message("redacted");
        var inThread = world.event(ROOM, "inthread", "m.x", null, "{}", THREAD);
        var later = world.message("later");
        var elsewhere = world.event(new RoomId("!other0123456789abcd:one.example"), "other", "m.x", null, "{}", null);
        var units = List.of(read, redacted, inThread, later, elsewhere);
        units.forEach(event -> world.add(event, ADA, BOB));
        units.forEach(event -> world.awaitUnits(event.event().value().substring(1), "pending 1", "pending 1"));
        var deliveries = world.nodes.getFirst().bean(Deliveries.class);
        deliveries.redacted(redacted.tenant(), redacted.event()).block();
        deliveries
                .read(List.of(new ReadUpTo(read.tenant(), ADA.user(), ROOM, later.pos() - 1, "main")))
                .block();
        assertThat(world.units("read")).containsExactly("superseded 1", "pending 1");
        assertThat(world.units("redacted")).containsExactly("superseded 1", "superseded 1");
        assertThat(world.units("inthread")).containsExactly("pending 1", "pending 1");
        deliveries
                .read(List.of(new ReadUpTo(read.tenant(), ADA.user(), ROOM, later.pos() - 1, "$thread")))
                .block();
        deliveries
                .read(List.of(new ReadUpTo(read.tenant(), BOB.user(), ROOM, later.pos(), null)))
                .block();
        assertThat(world.units("inthread")).containsExactly("superseded 1", "superseded 1");
        assertThat(world.units("later")).containsExactly("pending 1", "superseded 1");
        assertThat(world.units("other")).containsExactly("pending 1", "pending 1");
        assertThat(world.query("SELECT 1 FROM push.pushed_event WHERE event_id = '$redacted'"))
                .isEmpty();
        world.clock.advance(Duration.ofMinutes(5));
        world.awaitUnits("later", "pending 2", "superseded 1");
        world.awaitUnits("other", "pending 2", "pending 2");
        assertThat(world.gateway.await("/push", 13))
                .hasSize(13); // the number of attempts rises with the claim, before the request is sent
    }

    @Test
    void roomThatIsPurgedIsNotSpokenOf() {
        world.gateway.behave("/push", text(500, ""));
        world.setPusher(ADA, "key", "/push");
        world.add(world.message("a"), ADA);
        world.add(world.event(new RoomId("!other0123456789abcd:one.example"), "b", "m.x", null, "{}", null), ADA);
        world.awaitUnits("a", "pending 1");
        world.awaitUnits("b", "pending 1");
        var purge = "{\"tenant\":1,\"room\":\"%s\",\"shard\":0,\"epoch\":0,\"pos\":0}".formatted(ROOM.value());
        assertThat(world.nodes.getFirst().internal("/rooms/purge", purge).status())
                .isEqualTo(200);
        assertThat(world.units("a")).isEmpty();
        assertThat(world.units("b")).containsExactly("pending 1");
        assertThat(world.query("SELECT event_id FROM push.pushed_event")).containsExactly("$b");
    }

    @Test
    void pausedUserIsToldNothingAndNothingIsMadeUp() {
        var pauses = world.nodes.getFirst().bean(Pauses.class);
        world.gateway.behave("/push", text(500, ""));
        world.setPusher(ADA, "key", "/push");
        world.setPusher(BOB, "bob", "/bob");
        world.add(world.message("before"), ADA);
        world.awaitUnits("before", "pending 1");
        pauses.set(ADA.tenantId(), ADA.user(), true).block();
        assertThat(world.units("before")).containsExactly("superseded 1");
        var during = world.message("during");
        world.add(during, ADA, BOB);
        world.awaitUnits("during", "delivered 1");
        world.clock.advance(Duration.ofSeconds(1));
        pauses.set(ADA.tenantId(), ADA.user(), false).block();
        world.add(during, ADA, BOB);
        assertThat(world.units("during")).containsExactly("delivered 1");
        world.gateway.behave("/push", text(200, "{}"));
        world.add(world.message("after"), ADA, BOB);
        world.awaitUnits("after", "delivered 1", "delivered 1");
    }

    @Test
    void coalescingPushGivesWayToANewerOneOfItsRoom() {
        world.setPusher(ADA, "key", "/push");
        var other = new RoomId("!other0123456789abcd:one.example");
        var names = List.of("a", "b", "c");
        for (var name : names) {
            world.add(List.of(coalescing(world.message(name))));
            world.clock.advance(Duration.ofMillis(600));
        }
        world.add(List.of(coalescing(world.event(other, "other", "m.x", null, "{}", null))));
        assertThat(world.gateway.requests()).isEmpty();
        world.clock.advance(Duration.ofMillis(200)); // two seconds after the first event
        world.awaitUnits("c", "delivered 1");
        assertThat(world.units("a")).containsExactly("superseded 0");
        assertThat(world.units("b")).containsExactly("superseded 0");
        assertThat(world.units("other")).containsExactly("pending 0");
        world.clock.advance(Duration.ofSeconds(2));
        world.awaitUnits("other", "delivered 1");
        assertThat(world.gateway.requests())
                .extracting(RecordingGateway.Request::eventId)
                .containsExactly("$c", "$other");
    }

    @Test
    void coalescingPushesThatComeTogetherAreOne() {
        world.setPusher(ADA, "key", "/push");
        world.setPusher(BOB, "bob", "/bob");
        var first = world.message("a");
        var second = world.message("b");
        world.add(List.of(coalescing(first), coalescing(second), new NewUnit(first, BOB.user(), verdict("notify"))));
        world.clock.advance(Duration.ofSeconds(2));
        world.awaitUnits("b", "delivered 1");
        world.awaitUnits("a", "superseded 0", "delivered 1");
    }

    @Test
    void messagesOfOneRoomArriveInTheirOrder() {
        world.setPusher(ADA, "key", "/push");
        world.add(world.message("first"), ADA); // the first success proves the gateway
        world.awaitUnits("first", "delivered 1");
        world.add(IntStream.range(0, 30)
                .mapToObj(n -> new NewUnit(world.message("m" + n), ADA.user(), verdict("notify")))
                .toList());
        assertThat(world.gateway.await("/push", 31).subList(1, 31))
                .extracting(RecordingGateway.Request::eventId)
                .containsExactlyElementsOf(
                        IntStream.range(0, 30).mapToObj(n -> "$m" + n).toList());
    }

    private static NewUnit coalescing(UnitEvent event) {
        return new NewUnit(event, ADA.user(), new Verdict(true, false, true, List.of("coalesce"), null));
    }
}
