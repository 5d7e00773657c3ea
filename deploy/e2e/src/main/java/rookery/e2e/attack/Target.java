// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.load.Crowd.TenantUsers;

/**
 * A room with large content, and its members.
 *
 * @param eventId a message in the middle of the room, to which other messages relate
 * @param since a sync token of each user, from before the content
 */
record Target(List<Session> users, String room, String eventId, List<String> since) {
    private static final int MESSAGES = 120;
    private static final int LARGE = 60_000;
    private static final int TO_DEVICE_REQUESTS = 4;
    private static final int TO_DEVICE_MESSAGES = 25;
    private static final int DATA_BYTES = 900_000;
    private static final int DATA_ITEMS = 8;
    private static final String WORDS = "words that are looked for ";

    static Target prepare(TenantUsers crowd) throws IOException {
        var users = crowd.people();
        var first = users.get(1 % users.size()); // the creator of the first room (Crowd)
        String room = crowd.rooms().getFirst();
        var since = new ArrayList<String>();
        for (var user : users) {
            since.add(user.sync(rookery.e2e.api.SyncQuery.initial())
                    .path("next_batch")
                    .asString());
        }
        String parent = first.say(room, "the parent of what relates to it");
        for (int i = 0; i < MESSAGES; i++) {
            first.send(room, "large" + i, message(parent)).ok();
            first.put(Paths.room(room, "/state/org.example.large/" + i), Map.of("text", "x".repeat(LARGE)));
        }
        for (var user : users) {
            fill(user);
        }
        return new Target(users, room, parent, since);
    }

    private static Map<String, ?> message(String parent) {
        return Map.of(
                "msgtype",
                "m.text",
                "body",
                WORDS.repeat(LARGE / WORDS.length()),
                "m.relates_to",
                Map.of("rel_type", "m.reference", "event_id", parent));
    }

    /** To-device messages and account data; requests beyond a quota are ignored. */
    private static void fill(Session user) throws IOException {
        for (int i = 0; i < TO_DEVICE_REQUESTS; i++) {
            for (int n = 0; n < TO_DEVICE_MESSAGES; n++) {
                var content = Map.of("text", "x".repeat(LARGE));
                var messages = Map.of("messages", Map.of(user.userId(), Map.of(user.deviceId(), content)));
                user.call("PUT", "/v3/sendToDevice/org.example.large/" + i + "-" + n, messages);
            }
        }
        for (int i = 0; i < DATA_ITEMS; i++) {
            user.call(
                    "PUT",
                    "/v3/user/" + Paths.encoded(user.userId()) + "/account_data/org.example.large" + i,
                    Map.of("text", "x".repeat(DATA_BYTES)));
        }
    }

    Session user(int number) {
        return users.get(number % users.size());
    }

    /** Paths of reads with maximal responses, by name. */
    Map<String, String> reads() {
        return Map.of(
                "messages", Paths.room(room, "/messages?dir=b&limit=100"),
                "state", Paths.room(room, "/state"),
                "context", Paths.room(room, "/context/" + Paths.encoded(eventId) + "?limit=100"),
                "relations",
                        "/v1/rooms/" + Paths.encoded(room) + "/relations/" + Paths.encoded(eventId) + "?limit=100");
    }

    /** An incremental sync that returns all to-device messages and account data. */
    String sync(int number) {
        return "/v3/sync?timeout=0&since=" + Paths.encoded(since.get(number % users.size()));
    }

    static Map<String, ?> search() {
        return Map.of(
                "search_categories",
                Map.of(
                        "room_events",
                        Map.of(
                                "search_term",
                                "looked",
                                "filter",
                                Map.of("limit", 50),
                                "event_context",
                                Map.of("before_limit", 50, "after_limit", 50, "include_profile", true))));
    }
}
