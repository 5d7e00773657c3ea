// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;
import rookery.sync.testing.Answer;
import rookery.sync.testing.Reader;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** A sync while Kafka and the owners of the logs misbehave: nothing is lost, doubled or reordered for any reader. */
class SyncFaultsIT {
    private static final DeviceId DEVICE = new DeviceId("D");
    private static final String STANDARD = "/_matrix/client/v3/sync?";

    @RegisterExtension
    static final World world = World.own();

    private static SyncNode one;
    private static SyncNode two;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");
    private final Random random = new Random(42);
    private final List<List<LogRecord>> heldBack = new ArrayList<>();

    @BeforeAll
    static void start() {
        one = world.node();
        two = world.startNode();
    }

    /** A node may notice a raised epoch late, and would then send complete answers in the next test. */
    @AfterEach
    void bothNodesFollowOneEpoch() {
        long epoch = world.rooms.log().epoch();
        SyncNode.until(() ->
                one.roomLog().now().epoch() == epoch && two.roomLog().now().epoch() == epoch);
    }

    @Test
    void everyReaderIsToldEverythingOnceAndInOrderHoweverItIsAnnounced() {
        var rooms = List.of(
                world.rooms.create(1, ada, bob), world.rooms.create(1, ada, bob), world.rooms.create(9, ada, bob));
        var hops = new AtomicInteger();
        var readers = new ArrayList<Reader>();
        for (int i = 0; i < 10; i++) {
            var home = i % 2 == 0 ? one : two;
            boolean restless = i >= 8;
            readers.add(world.reader(ada, () -> restless ? hops.incrementAndGet() % 2 == 0 ? one : two : home));
        }
        var sent = new ArrayList<List<String>>();
        rooms.forEach(_ -> sent.add(new ArrayList<>()));
        for (int i = 0; i < 400; i++) {
            int room = random.nextInt(rooms.size());
            sent.get(room).add(ada.localpart() + i);
            world.rooms.send(rooms.get(room), bob, ada.localpart() + i, this::announcedSomehow);
            if (i % 20 == 0) {
                keepUp(readers, i - 50); // a timeline has at most 100 events
            }
        }
        expect(readers, rooms, sent);
    }

    private static void keepUp(List<Reader> readers, int count) {
        SyncNode.until(() -> readers.stream()
                .allMatch(
                        reader -> reader.count() >= count || !reader.troubles().isEmpty()));
        readers.forEach(reader -> assertThat(reader.troubles()).isEmpty());
    }

    /** Announces records as two publishers would that overtake each other, crash and repeat. */
    private void announcedSomehow(List<LogRecord> records) {
        switch (random.nextInt(10)) {
            case 0 -> {} // the publisher died before
            case 1 -> heldBack.add(records);
            case 2 -> {
                world.roomPublisher.accept(records);
                world.roomPublisher.accept(records);
            }
            case 3 -> {
                world.roomPublisher.accept(records);
                Collections.reverse(heldBack);
                heldBack.forEach(world.roomPublisher);
                heldBack.clear();
            }
            default -> world.roomPublisher.accept(records);
        }
    }

    private static void expect(List<Reader> readers, List<RoomId> rooms, List<List<String>> sent) {
        int count = sent.stream().mapToInt(List::size).sum();
        SyncNode.until(() -> readers.stream()
                .allMatch(
                        reader -> reader.count() >= count || !reader.troubles().isEmpty()));
        readers.forEach(Reader::pollTwiceMore); // repeated entries may come late
        for (var reader : readers) {
            assertThat(reader.troubles()).isEmpty();
            for (int i = 0; i < rooms.size(); i++) {
                assertThat(reader.told(rooms.get(i))).isEqualTo(sent.get(i));
            }
        }
    }

    @Test
    void withoutKafkaMessagesStillArriveAndNoneIsRepeatedWhenItReturns() {
        var room = world.rooms.create(2, ada, bob);
        var readers = List.of(world.reader(ada, () -> one), world.reader(bob, () -> two));
        var sent = new ArrayList<String>();
        send(room, sent, world.roomPublisher, 20);
        world.kafka().kill();
        send(room, sent, world.roomPublisher, 20);
        SyncNode.until(
                () -> readers.stream().allMatch(reader -> reader.told(room).size() >= sent.size()));
        world.kafka().startAgain();
        send(room, sent, world.roomPublisher, 20);
        expect(readers, List.of(room), List.of(sent));
    }

    @Test
    void whileTheOwnerIsAwayWhatKafkaBringsIsTold() {
        var room = world.rooms.create(3, ada, bob);
        var readers = List.of(world.reader(ada, () -> one));
        var sent = new ArrayList<String>();
        send(room, sent, world.roomPublisher, 5);
        SyncNode.until(() -> readers.getFirst().told(room).size() == sent.size());
        var token = sync(one, bob, "").nextBatch();
        world.roomService.setAway(true);
        send(room, sent, world.roomPublisher, 5);
        SyncNode.until(() -> readers.getFirst().told(room).size() == sent.size());
        assertThat(sync(one, bob, "since=" + token).status()).isEqualTo(503);
        assertThat(sync(one, bob, "").status()).isEqualTo(503);
        send(room, sent, _ -> {}, 5);
        world.roomService.setAway(false);
        expect(readers, List.of(room), List.of(sent));
    }

    @Test
    void withoutPushServiceTheAnswerGoesOutWithTheDefaultRules() {
        assertThat(sync(one, bob, "").data("m.push_rules").toString()).contains("default", bob.value());
        world.pushService.setAway(true);
        var room = world.rooms.create(3, ada);
        var first = sync(one, ada, "");
        assertThat(first.timeline(room)).hasSize(2);
        assertThat(first.data("m.push_rules").toString()).contains("default", ada.value());
        world.users.set(ada, null, "m.push_rules", "{\"global\":{\"mine\":[]}}");
        assertThat(sync(one, ada, "timeout=20000&since=" + first.nextBatch())
                        .data("m.push_rules")
                        .toString())
                .contains("mine");
        world.pushService.setAway(false);
    }

    /** Under the specification's prefix, later answers omit the rules. */
    @Test
    void rulesThatPushServiceCouldNotTellAreToldOnceItIsBack() {
        sync(one, bob, "");
        var carl = World.user("carl");
        world.pushService.setAway(true);
        var answer = new AtomicReference<>(one.get(carl, STANDARD));
        world.pushService.setAway(false);
        SyncNode.until(() -> {
            answer.set(one.get(carl, STANDARD + "since=" + answer.get().nextBatch()));
            return !answer.get().data("m.push_rules").isMissingNode();
        });
        assertThat(answer.get().data("m.push_rules").toString()).contains("default", carl.value());
        var next = one.get(carl, STANDARD + "since=" + answer.get().nextBatch());
        assertThat(next.data("m.push_rules").isMissingNode()).isTrue();
    }

    @Test
    void anUnannouncedMessageIsToldToWhoWaitsAndAtOnceToWhoDoesNot() {
        var room = world.rooms.create(4, ada, bob);
        var token = sync(one, ada, "").nextBatch();
        var waiting = waiting(one, ada, token);
        world.rooms.send(room, bob, "quiet", _ -> {});
        assertThat(sync(one, ada, "since=" + token).timeline(room)).containsExactly("quiet");
        assertThat(waiting.join().timeline(room)).containsExactly("quiet");
    }

    @Test
    void aNodeThatIsBehindTellsNothingTwice() {
        var room = world.rooms.create(4, ada, bob);
        sync(two, ada, "");
        world.rooms.send(room, bob, "first", _ -> {});
        var answer = sync(one, ada, "");
        assertThat(answer.timeline(room)).contains("first");
        var waiting = waiting(two, ada, answer.nextBatch());
        world.rooms.send(room, bob, "second");
        assertThat(waiting.join().timeline(room)).containsExactly("second");
    }

    @Test
    void memoryTellsTheSameAsTheOwner() {
        var rooms = List.of(world.rooms.create(5, ada, bob), world.rooms.create(6, bob, ada));
        var since = sync(one, ada, "").nextBatch();
        for (int i = 0; i < 30; i++) {
            var room = rooms.get(random.nextInt(2));
            String name = ada.localpart() + "x" + i;
            if (random.nextInt(3) == 0) {
                world.rooms.state(room, bob, random.nextBoolean() ? "m.room.avatar" : "m.room.topic", name);
            } else {
                world.rooms.send(room, bob, name);
            }
        }
        var fresh = world.startNode();
        for (var filter : List.of(
                "{}",
                "{\"room\":{\"timeline\":{\"limit\":3}}}",
                "{\"room\":{\"timeline\":{\"types\":[\"m.room.message\"],\"limit\":5}}}",
                "{\"room\":{\"timeline\":{\"types\":[]},\"state\":{\"not_types\":[\"m.room.avatar\"]}}}",
                "{\"room\":{\"timeline\":{\"limit\":4},\"not_rooms\":[\""
                        + rooms.get(0).value() + "\"]}}")) {
            String query = "filter=" + java.net.URLEncoder.encode(filter, java.nio.charset.StandardCharsets.UTF_8)
                    + "&since=" + since;
            double cold = one.coldCalls();
            var warm = sync(one, ada, query);
            assertThat(one.coldCalls()).as(filter).isEqualTo(cold);
            cold = fresh.coldCalls();
            assertThat(comparable(warm)).as(filter).isEqualTo(comparable(sync(fresh, ada, query)));
            assertThat(fresh.coldCalls()).as(filter).isGreaterThan(cold);
        }
        fresh.close();
    }

    private static String comparable(Answer answer) {
        return answer.json()
                .path("rooms")
                .toString()
                .replaceAll("\"age\":[0-9]+", "\"age\":0")
                .replaceAll("\"prev_batch\":\"[^\"]+\"", "\"prev_batch\":\"\"");
    }

    @Test
    void aNodeThatHasJustStartedAnswersTheTokensOfOthersFromMemory() {
        var quiet = world.rooms.create(1, ada, bob);
        var busy = world.rooms.create(2, ada, bob);
        var left = world.rooms.create(3, ada, bob);
        var since = sync(one, ada, "").nextBatch();
        world.rooms.send(busy, bob, "meanwhile");
        world.rooms.member(left, bob, ada, Membership.LEAVE);
        var later = sync(one, ada, "since=" + since).nextBatch();
        world.rooms.send(busy, bob, "after");
        try (var fresh = world.startNode("--rookery.tenants[0].presence=false")) {
            var answer = sync(fresh, ada, "since=" + later);
            assertThat(answer.timeline(busy)).containsExactly("after");
            assertThat(answer.joined(quiet).isMissingNode()).isTrue();
            assertThat(fresh.coldCalls()).isZero();
            var both = sync(fresh, ada, "since=" + since);
            assertThat(both.timeline(busy)).containsExactly("meanwhile", "after");
            assertThat(both.json().path("rooms").path("leave").has(left.value()))
                    .as(both.body())
                    .isTrue();
        }
    }

    @Test
    void aRaisedEpochLeadsToAFreshPicture() {
        var room = world.rooms.create(7, ada, bob);
        var token = sync(one, ada, "").nextBatch();
        var waiting = waiting(one, ada, token);
        world.rooms.send(room, bob, "before");
        token = waiting.join().nextBatch();
        var parked = waiting(one, ada, token);
        world.rooms.log().raiseEpoch();
        var fresh = parked.join();
        assertThat(fresh.status()).isEqualTo(200);
        assertThat(fresh.timeline(room)).hasSize(4).endsWith("before");
        var next = waiting(one, ada, fresh.nextBatch());
        world.rooms.send(room, bob, "after");
        assertThat(next.join().timeline(room)).containsExactly("after");
        assertThat(sync(one, ada, "since=" + token).timeline(room)).hasSize(5).endsWith("before", "after");
    }

    @Test
    void aPromotionThatLosesNothingIsNotNoticed() {
        var room = world.rooms.create(7, ada, bob);
        var token = sync(one, ada, "").nextBatch();
        var parked = waiting(one, ada, token);
        long epoch = one.roomLog().now().epoch();
        world.rooms.log().promote();
        SyncNode.until(() -> one.roomLog().now().epoch() > epoch);
        world.rooms.send(room, bob, "after");
        assertThat(parked.join().timeline(room)).containsExactly("after");
        assertThat(sync(one, ada, "since=" + token).timeline(room)).containsExactly("after");
    }

    @Test
    void onlyWhoHasSeenWhatIsLostBeginsAnew() {
        var room = world.rooms.create(9, ada, bob);
        var before = sync(one, ada, "").nextBatch();
        world.rooms.send(room, bob, "lost");
        SyncNode.until(() -> sync(one, ada, "since=" + before).timeline(room).contains("lost"));
        var after = sync(one, ada, "since=" + before).nextBatch();
        long epoch = one.roomLog().now().epoch();
        world.rooms.log().lose(9, 1);
        world.rooms.forgetLost();
        world.rooms.log().promote();
        SyncNode.until(() -> one.roomLog().now().epoch() > epoch);
        world.rooms.send(room, bob, "instead");
        SyncNode.until(() -> sync(one, ada, "since=" + before).timeline(room).contains("instead"));
        assertThat(sync(one, ada, "since=" + before).timeline(room)).containsExactly("instead");
        assertThat(sync(one, ada, "since=" + after).timeline(room))
                .as("all of the room, as to one who knows nothing")
                .hasSize(4)
                .endsWith("instead")
                .doesNotContain("lost");
    }

    @Test
    void aTokenFromBeyondTheLogIsCutBack() {
        var room = world.rooms.create(8, ada, bob);
        world.rooms.send(room, bob, "lost");
        var token = sync(one, ada, "").nextBatch();
        long lost = one.roomLog().now().positions().at(8);
        world.rooms.log().lose(8, 1);
        world.rooms.forgetLost();
        SyncNode.until(() -> one.roomLog().now().positions().at(8) < lost);
        var answer = sync(one, ada, "since=" + token);
        assertThat(answer.status()).isEqualTo(200);
        var waiting = one.getAsync(ada, DEVICE, "/_api/client/v3/sync?timeout=25000&since=" + answer.nextBatch());
        world.rooms.send(room, bob, "again");
        assertThat(waiting.join().timeline(room)).containsExactly("again");
    }

    @Test
    void aNodeThatStopsSendsItsWaitersAwayWithTheirTokens() {
        var node = world.startNode();
        var room = world.rooms.create(3, ada, bob);
        var token = sync(node, ada, "").nextBatch();
        var waiting = new ArrayList<CompletableFuture<Answer>>();
        for (int i = 0; i < 20; i++) {
            waiting.add(waiting(node, ada, token));
        }
        node.close();
        String name = "after" + ada.localpart();
        world.rooms.send(room, bob, name);
        for (var call : waiting) {
            var answer = call.join();
            assertThat(answer.status()).isEqualTo(200);
            for (var section : answer.json().path("rooms")) {
                assertThat(section.isEmpty()).as(answer.body()).isTrue();
            }
            assertThat(sync(one, ada, "since=" + answer.nextBatch()).timeline(room))
                    .containsExactly(name);
        }
    }

    private void send(RoomId room, List<String> sent, Consumer<List<LogRecord>> announce, int count) {
        for (int i = 0; i < count; i++) {
            String name = "m" + sent.size() + bob.localpart();
            sent.add(name);
            world.rooms.send(room, bob, name, announce);
        }
    }

    private static Answer sync(SyncNode node, UserId user, String query) {
        return node.get(user, "/_api/client/v3/sync?" + query);
    }

    /** Returns when the request waits. */
    private static CompletableFuture<Answer> waiting(SyncNode node, UserId user, String since) {
        double before = node.meter("sync_waiters");
        var call = node.getAsync(user, DEVICE, "/_api/client/v3/sync?timeout=25000&since=" + since);
        SyncNode.until(() -> node.meter("sync_waiters") > before);
        return call;
    }
}
