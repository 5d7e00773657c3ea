// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.e2e.api.Paths;
import rookery.e2e.api.SlidingClient;
import rookery.e2e.api.SlidingClient.Config;
import rookery.e2e.running.Rookery;

/** The extensions of sliding sync through the gateway, over two sync nodes (contract.md 10.9). */
@OnCluster
class SlidingExtensionsE2E extends TwoPeople {
    private static final Config SHORT = new Config(1, List.of("m.room.name"));

    SlidingExtensionsE2E(Rookery rookery) {
        super(rookery);
    }

    @Test
    void extensionsHaveWhatBelongsToTheDevice() throws IOException {
        People.roomOf(ada, grace);
        var client = new SlidingClient(ada, "main", true);
        client.list("all", 0, 10, SHORT, Map.of());
        for (var extension : List.of("to_device", "e2ee", "account_data")) {
            client.enable(extension);
        }
        var first = client.poll(0).path("extensions");
        assertThat(first.path("to_device").path("next_batch").asString()).isNotEmpty();
        assertThat(first.path("account_data")
                        .path("global")
                        .valueStream()
                        .map(item -> item.path("type").asString()))
                .contains("m.push_rules");
        assertThat(first.path("e2ee").path("device_one_time_keys_count").isObject())
                .isTrue();

        grace.put("/v3/sendToDevice/m.test/1", Map.of("messages", Map.of(ada.userId(), Map.of("*", Map.of("n", 1)))));
        var messages = client.pollUntil(answer ->
                !answer.path("extensions").path("to_device").path("events").isEmpty());
        assertThat(messages.path("extensions")
                        .path("to_device")
                        .path("events")
                        .get(0)
                        .path("type")
                        .asString())
                .isEqualTo("m.test");
        assertThat(client.poll(0).path("extensions").path("to_device").path("events"))
                .isEmpty();
    }

    @Test
    void extensionsHaveWhatBelongsToTheRooms() throws IOException {
        var room = People.roomOf(ada, grace);
        var event = ada.say(room, "read me");
        var client = new SlidingClient(ada, "main", true);
        client.list("all", 0, 10, SHORT, Map.of());
        for (var extension : List.of("account_data", "receipts", "typing")) {
            client.enable(extension);
        }
        client.poll(0);

        grace.post(Paths.room(room, "/receipt/m.read/" + Paths.encoded(event)), Map.of());
        var receipt = client.pollUntil(answer ->
                answer.path("extensions").path("receipts").path("rooms").has(room));
        assertThat(receipt.path("extensions")
                        .path("receipts")
                        .path("rooms")
                        .path(room)
                        .path("content")
                        .has(event))
                .isTrue();

        grace.put(Paths.room(room, "/typing/" + Paths.encoded(grace.userId())), Map.of("typing", true));
        var typing = client.pollUntil(
                answer -> answer.path("extensions").path("typing").path("rooms").has(room));
        assertThat(typing.path("extensions")
                        .path("typing")
                        .path("rooms")
                        .path(room)
                        .path("content")
                        .path("user_ids")
                        .get(0)
                        .asString())
                .isEqualTo(grace.userId());

        tag(room);
        var tagged = client.pollUntil(answer ->
                answer.path("extensions").path("account_data").path("rooms").has(room));
        assertThat(tagged.path("extensions")
                        .path("account_data")
                        .path("rooms")
                        .path(room)
                        .get(0)
                        .path("type")
                        .asString())
                .isEqualTo("m.tag");
    }

    private void tag(String room) throws IOException {
        ada.put(
                "/v3/user/" + Paths.encoded(ada.userId())
                        + Paths.room(room, "/account_data/m.tag").substring(3),
                Map.of("tags", Map.of("m.favourite", Map.of())));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anExtensionIsForTheListsAndSubscriptionsThatItNames(boolean isUnstable) throws IOException {
        var rooms = List.of(ada.createRoom(Map.of()), ada.createRoom(Map.of()), ada.createRoom(Map.of()));
        var client = new SlidingClient(ada, "main", isUnstable);
        client.list("all", 0, 10, SHORT, Map.of());
        client.subscribe(rooms.get(1), SHORT);
        client.subscribe(rooms.get(2), SHORT);
        client.enable("account_data", Map.of("lists", List.of("other"), "rooms", List.of(rooms.get(2))));
        client.poll(0);

        var shown = new ArrayList<String>();
        for (var room : rooms) {
            tag(room);
        }
        client.pollUntil(answer -> {
            shown.addAll(
                    answer.path("extensions").path("account_data").path("rooms").propertyNames());
            return shown.contains(rooms.get(2));
        });
        assertThat(shown).containsExactly(rooms.get(2));

        client.enable("account_data", Map.of("lists", List.of("all")));
        for (var room : rooms) {
            tag(room);
        }
        client.pollUntil(answer -> {
            shown.addAll(
                    answer.path("extensions").path("account_data").path("rooms").propertyNames());
            return shown.containsAll(rooms);
        });
    }
}
