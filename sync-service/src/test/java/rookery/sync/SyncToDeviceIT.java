// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Messages to devices and key counts in sync answers (contract.md 13.5). */
@SharesWorld
class SyncToDeviceIT {
    private static final String SYNC = "/_api/client/v3/sync?";
    private static final DeviceId PHONE = new DeviceId("PHONE");
    private static final DeviceId DESK = new DeviceId("DESK");

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;
    private static SyncNode other;

    private final UserId ada = World.user("ada");

    @BeforeAll
    static void start() {
        node = world.node();
        other = world.startNode();
    }

    @Test
    void aMessageEndsTheWaitOfItsDeviceAndIsToldToNoOther() {
        var phone = get(node, PHONE, "timeout=0").nextBatch();
        var desk = get(node, DESK, "timeout=0").nextBatch();
        var waiting = node.getAsync(ada, PHONE, SYNC + "timeout=60000&since=" + phone);

        world.users.send(ada, PHONE, "m.test", "{\"n\":1}");

        var told = waiting.join();
        assertThat(told.json().path("to_device").path("events").toString())
                .isEqualTo("[{\"type\":\"m.test\",\"sender\":\"" + ada.value() + "\",\"content\":{\"n\":1}}]");
        assertThat(numbers(get(node, PHONE, "timeout=0&since=" + told.nextBatch())))
                .isEmpty();
        assertThat(numbers(get(node, DESK, "timeout=0&since=" + desk))).isEmpty();
    }

    @Test
    void aMessageIsToldUntilTheDeviceHasItAndNeverAfter() {
        var before = get(node, PHONE, "timeout=0").nextBatch();
        world.users.send(ada, PHONE, "m.test", "{\"n\":1}");

        var told = get(node, PHONE, "timeout=0&since=" + before);
        assertThat(numbers(told)).containsExactly(1);
        assertThat(numbers(get(node, PHONE, "timeout=0&since=" + before)))
                .as("the answer was lost")
                .containsExactly(1);
        assertThat(numbers(get(other, PHONE, "timeout=0&since=" + before)))
                .as("another node")
                .containsExactly(1);
        assertThat(numbers(get(other, PHONE, "timeout=0")))
                .as("from the beginning")
                .containsExactly(1);

        get(node, PHONE, "timeout=0&since=" + told.nextBatch());

        SyncNode.until(() -> world.users.waiting(ada).isEmpty());
        assertThat(numbers(get(node, PHONE, "timeout=0&since=" + before))).isEmpty();
        assertThat(numbers(get(other, PHONE, "timeout=0"))).isEmpty();
    }

    @Test
    void whatAnotherNodeToldIsDeletedByTheOneThatHearsIt() {
        var before = get(node, PHONE, "timeout=0").nextBatch();
        world.users.send(ada, PHONE, "m.test", "{\"n\":1}");
        var told = get(node, PHONE, "timeout=0&since=" + before);
        world.users.send(ada, PHONE, "m.test", "{\"n\":2}");

        assertThat(numbers(get(other, PHONE, "timeout=0&since=" + told.nextBatch())))
                .containsExactly(2);

        SyncNode.until(() -> world.users.waiting(ada).size() == 1);
    }

    @Test
    void manyComeInOrderAHundredAtATime() {
        var before = get(node, PHONE, "timeout=0").nextBatch();
        for (int n = 0; n < 250; n++) {
            world.users.send(ada, PHONE, "m.test", "{\"n\":" + n + "}");
        }
        var told = new ArrayList<Integer>();
        String since = before;
        for (int part : new int[] {100, 100, 50, 0}) {
            var answer = get(part == 100 ? node : other, PHONE, "timeout=0&since=" + since);
            assertThat(numbers(answer)).hasSize(part);
            told.addAll(numbers(answer));
            since = answer.nextBatch();
        }
        assertThat(told).hasSize(250).isSorted().doesNotHaveDuplicates();
        SyncNode.until(() -> world.users.waiting(ada).isEmpty());
    }

    @Test
    void otherThingsAreToldWhileMessagesCannotBe() {
        world.users.set(ada, null, "m.first", "{}"); // at the start of a shard there is no position to wait for
        var before = get(node, PHONE, "timeout=0").nextBatch();
        world.authService.hold("/internal/users/" + ada.value() + "/devices/" + PHONE.value() + "/to-device");
        try {
            world.users.send(ada, PHONE, "m.test", "{\"n\":1}");
            world.users.set(ada, null, "m.other", "{\"n\":2}");
            var answer = get(node, PHONE, "timeout=20000&since=" + before);
            assertThat(answer.data("m.other").path("n").asInt()).isEqualTo(2);
            before = answer.nextBatch();
        } finally {
            world.authService.release();
        }
        assertThat(numbers(get(node, PHONE, "timeout=0&since=" + before))).containsExactly(1);
    }

    @Test
    void countsOfKeysAreInEveryAnswerAndAChangeEndsTheWait() {
        world.users.setKeyCounts(ada, PHONE, 50, List.of("signed_curve25519"));
        var first = get(node, PHONE, "timeout=0");
        assertThat(counts(first)).isEqualTo("{\"signed_curve25519\":50} [\"signed_curve25519\"]");
        assertThat(counts(get(node, DESK, "timeout=0"))).isEqualTo("{\"signed_curve25519\":0} []");
        var waiting = node.getAsync(ada, PHONE, SYNC + "timeout=60000&since=" + first.nextBatch());

        world.users.setKeyCounts(ada, PHONE, 49, List.of());

        assertThat(counts(waiting.join())).isEqualTo("{\"signed_curve25519\":49} []");
        assertThat(counts(get(other, PHONE, "timeout=0&since=" + first.nextBatch())))
                .isEqualTo("{\"signed_curve25519\":49} []");
    }

    private Answer get(SyncNode asked, DeviceId device, String query) {
        var answer = asked.getAsync(ada, device, SYNC + query).join();
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private static List<Integer> numbers(Answer answer) {
        var numbers = new ArrayList<Integer>();
        answer.json()
                .path("to_device")
                .path("events")
                .forEach(event -> numbers.add(event.path("content").path("n").asInt()));
        return numbers;
    }

    private static String counts(Answer answer) {
        return answer.json().path("device_one_time_keys_count") + " "
                + answer.json().path("device_unused_fallback_key_types");
    }
}
