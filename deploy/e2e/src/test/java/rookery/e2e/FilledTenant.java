// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;

/** A tenant that an operator has made, with data of many kinds. */
final class FilledTenant {
    static final String FILE = "a file of the tenant";
    private static final int MESSAGES = 300;

    final Rookery rookery;
    final OperatorCalls operator;
    final String name = "t" + UUID.randomUUID().toString().substring(0, 8) + ".example";
    int number;

    FilledTenant(Rookery rookery) {
        this.rookery = rookery;
        this.operator = new OperatorCalls(rookery);
    }

    /**
     * The people and their room.
     *
     * @param root an administrator
     * @param file the {@code mxc://} address of a file with the content {@link #FILE}
     */
    record People(Session root, Session ada, Session bob, String room, String file) {}

    FilledTenant create() throws IOException {
        var created =
                operator.call("POST", "/tenants", Map.of("server_name", name)).ok();
        number = created.path("number").asInt();
        RegistryVersions.awaitEverywhere(rookery, created.path("version").asLong());
        return this;
    }

    Answer flows(int gateway) throws IOException {
        try (var http = Http.to(rookery.site(name, gateway))) {
            return http.call("GET", "/v3/login", null, null);
        }
    }

    private Session administrator(Http http) throws IOException {
        var token = operator.call("POST", "/tenants/" + name + "/first-administrator", Map.of())
                .ok()
                .path("registration_token")
                .asString();
        return TenantsE2E.administrator(http, token);
    }

    People fill(Http http) throws IOException, InterruptedException {
        var root = administrator(http);
        var ada = Session.register(http, "ada");
        var bob = Session.register(http, "bob");
        var room = ada.createRoom(Map.of(
                "preset", "public_chat", "visibility", "public", "room_alias_name", "tea", "name", "Tea of " + name));
        bob.join(room);
        talk(ada, bob, room);
        var user = "/v3/user/" + Paths.encoded(bob.userId());
        bob.put(user + "/account_data/m.test", Map.of("a", 1));
        bob.put(user + "/account_data/m.ignored_user_list", Map.of("ignored_users", Map.of(root.userId(), Map.of())));
        bob.post(user + "/filter", Map.of("room", Map.of("timeline", Map.of("limit", 3))));
        bob.put("/v3/profile/" + Paths.encoded(bob.userId()) + "/displayname", Map.of("displayname", "Bob of " + name));
        Eventually.eventually( // otherwise the other installation appends the member event
                () -> bob.get(Paths.room(room, "/members")).toString().contains("Bob of " + name));
        ada.put("/v3/sendToDevice/m.test/1", Map.of("messages", Map.of(bob.userId(), Map.of("*", Map.of("n", 1)))));
        bob.post("/v3/keys/upload", Map.of("one_time_keys", Map.of("signed_curve25519:A", Map.of("key", "a"))));
        var pusher = new HashMap<String, Object>(Map.of("kind", "http", "app_id", "a", "pushkey", "k", "lang", "en"));
        pusher.putAll(Map.of("app_display_name", "A", "device_display_name", "D"));
        pusher.put("data", Map.of("url", "http://127.0.0.1:9/_matrix/push/v1/notify"));
        bob.post("/v3/pushers/set", pusher);
        root.post("/v3/admin/rate-limits", Map.of("enabled", true, "max_requests", 100_000, "window_seconds", 60));
        try (var media = new MediaClient(rookery)) {
            var file = media.upload(ada, FILE.getBytes(StandardCharsets.UTF_8), "text/plain");
            bob.sync(SyncQuery.initial());
            return new People(root, ada, bob, room, file);
        }
    }

    private static void talk(Session ada, Session bob, String room) throws IOException {
        var event = ada.say(room, "a word");
        for (int i = 0; i < MESSAGES; i++) {
            ada.say(room, "word " + i);
        }
        bob.post(Paths.room(room, "/receipt/m.read/" + Paths.encoded(event)), Map.of());
        bob.post(Paths.room(room, "/report/" + Paths.encoded(event)), Map.of("reason", "no tea"));
        ada.put(Paths.room(room, "/redact/" + Paths.encoded(ada.say(room, "regret")) + "/r1"), Map.of());
        ada.put(Paths.room(room, "/state/m.room.topic"), Map.of("topic", "one"));
        ada.put(Paths.room(room, "/state/m.room.topic"), Map.of("topic", "two"));
        var thread = Map.of("rel_type", "m.thread", "event_id", event);
        var reply = Map.of("msgtype", "m.text", "body", "in a thread", "m.relates_to", thread);
        assertThat(ada.send(room, "thread", reply).isOk()).isTrue();
        ada.put(
                Paths.room(room, "/send/m.room.message/late?org.matrix.msc4140.delay=3600000"),
                Map.of("msgtype", "m.text", "body", "late"));
    }
}
