// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.id.Shards;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Push rules and ignore list: the answers that contain them (contract.md D18), and the moment of taking effect (12.1). */
@SharesWorld
class SyncSettingsIT {
    private static final String OWN = "/_api/client/v3/sync?";
    private static final String STANDARD = "/_matrix/client/v3/sync?";
    private static final String RULES = "m.push_rules";
    private static final String IGNORED = "m.ignored_user_list";

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.node();
    }

    @Test
    void underThePrefixOfTheStandardTheTwoComeFirstAndWhenTheyChanged() {
        var room = world.rooms.create(7, ada, bob);
        var first = node.get(ada, STANDARD);
        assertThat(types(first)).containsExactlyInAnyOrder(RULES, IGNORED);
        world.rooms.send(room, bob, "one" + ada.localpart());
        var second = node.get(ada, STANDARD + "since=" + first.nextBatch());
        assertThat(second.timeline(room)).hasSize(1);
        assertThat(types(second)).isEmpty();
        world.users.set(ada, null, RULES, "{\"global\":{\"mine\":[]}}");
        var third = node.get(ada, STANDARD + "timeout=20000&since=" + second.nextBatch());
        assertThat(types(third)).containsExactly(RULES);
        assertThat(third.data(RULES).toString()).contains("mine");
        world.users.set(ada, null, IGNORED, "{\"ignored_users\":{\"@z:s\":{}}}");
        var fourth = node.get(ada, STANDARD + "timeout=20000&since=" + third.nextBatch());
        assertThat(types(fourth)).containsExactly(IGNORED);
        assertThat(types(node.get(ada, STANDARD + "timeout=50&since=" + fourth.nextBatch())))
                .isEmpty();
        assertThat(types(node.get(ada, OWN + "since=" + fourth.nextBatch()))).containsExactlyInAnyOrder(RULES, IGNORED);
        var filter = URLEncoder.encode("{\"account_data\":{\"types\":[\"m.direct\"]}}", StandardCharsets.UTF_8);
        for (var query : List.of("filter=" + filter, "filter=" + filter + "&since=" + first.nextBatch())) {
            assertThat(types(node.get(ada, STANDARD + query))).as(query).isEmpty();
        }
    }

    private static List<String> types(Answer answer) {
        return answer.json()
                .path("account_data")
                .path("events")
                .valueStream()
                .map(item -> item.path("type").stringValue())
                .toList();
    }

    /** Auth-service answers the client's change only after this call. */
    @Test
    void whetherThePlaceOfASettingIsReachedIsAnsweredOnceItIsTakenIn() {
        var room = world.rooms.create(7, ada, bob);
        var since = node.get(ada, OWN).nextBatch();
        int shard = Shards.of(ada);
        long next = world.users.log().heads()[shard] + 1;
        var body = "{\"user\":\"%s\",\"pos\":%d}".formatted(ada.value(), next);
        var asked = CompletableFuture.supplyAsync(() -> node.internal("/internal/user-log/reached", body));
        assertThat(node.internal("/internal/user-log/reached", body.replace(next + "}", next - 1 + "}"))
                        .status())
                .isEqualTo(200);
        assertThat(asked).isNotDone();
        world.users.set(ada, null, IGNORED, "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        assertThat(asked.join().status()).isEqualTo(200);
        world.rooms.send(room, bob, "ignored" + ada.localpart());
        world.rooms.send(room, ada, "mine" + ada.localpart());
        assertThat(node.get(ada, OWN + "since=" + since).timeline(room)).containsExactly("mine" + ada.localpart());
    }
}
