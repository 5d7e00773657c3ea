// SPDX-License-Identifier: Apache-2.0
package rookery.push.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.push.PushNode;
import rookery.push.PushNode.UserDevice;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Notifications over HTTP (contract.md 11.5), with a stand-in for room-service that shows every event but one. */
class NotificationsIT {
    private static final UserDevice ADA = UserDevice.of("ada");
    private static final long NOW = Clock.systemUTC().millis();
    private static final long DAY = 86_400_000;
    /** The maximum number of events in one answer of room-service. */
    private static volatile int lookedMax = Integer.MAX_VALUE;

    private static HttpServer rooms;
    private static PushNode node;

    @BeforeAll
    static void start() throws IOException {
        rooms = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        rooms.createContext("/internal/events", exchange -> {
            var shown = new LinkedHashMap<String, Object>();
            var requested =
                    JsonMapper.shared().readTree(exchange.getRequestBody()).path("events");
            int looked = Math.min(lookedMax, requested.size());
            for (var event : requested.valueStream().limit(looked).toList()) {
                var id = event.path("event_id").stringValue();
                if (!id.equals("$hidden")) {
                    shown.put(
                            id,
                            Map.of(
                                    "event_id",
                                    id,
                                    "room_id",
                                    event.path("room_id").stringValue()));
                }
            }
            var answer = JsonMapper.shared()
                    .writeValueAsString(Map.of("events", shown, "looked", looked))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        rooms.start();
        var database = TestServers.database("push-service");
        fill(database);
        node = new PushNode(
                database,
                Clock.systemUTC(),
                "--rookery.instances.addresses.room-service[0]=127.0.0.1:"
                        + rooms.getAddress().getPort());
    }

    @AfterAll
    static void stop() {
        node.close();
        rooms.stop(0);
    }

    private static void fill(Database database) {
        database.execute(
                "INSERT INTO push.member VALUES (1,'!r:one.example','@ada:one.example',0,5,'Ada',0,5,false,false),"
                        + "(2,'!r:one.example','@ada:two.example',0,5,'Ada',0,5,false,false)",
                noted(1, 3, "$before", "@bob:one.example", NOW, false),
                noted(1, 10, "$old", "@bob:one.example", NOW - 31 * DAY, false),
                noted(1, 11, "$oldhigh", "@bob:one.example", NOW - 60 * DAY, true),
                noted(1, 12, "$read", "@bob:one.example", NOW - 5_000, false),
                noted(1, 13, "$mine", "@ada:one.example", NOW - 4_000, false),
                noted(1, 14, "$ignored", "@eve:one.example", NOW - 3_500, false),
                noted(1, 15, "$muted", "@bob:one.example", NOW - 3_000, false),
                noted(1, 16, "$hidden", "@bob:one.example", NOW - 2_500, false),
                noted(1, 17, "$one", "@bob:one.example", NOW - 2_000, false),
                noted(2, 17, "$elsewhere", "@bob:two.example", NOW - 2_000, false),
                "INSERT INTO push.exception VALUES "
                        + "(1,'@ada:one.example','!r:one.example',15,0,'main','$muted','@bob:one.example',"
                        + (NOW - 3_000)
                        + ",'[]',false,false,-1,0),"
                        + "(1,'@ada:one.example','!i:one.example',20,1,'main','$invite','@bob:one.example',"
                        + (NOW - 1_000)
                        + ",'[\"notify\",{\"set_tweak\":\"sound\",\"value\":\"default\"}]',true,true,1,1)",
                "INSERT INTO push.ignored VALUES (1,'@ada:one.example','@eve:one.example')",
                "INSERT INTO push.read_position VALUES (1,'@ada:one.example','!r:one.example','main',13)");
    }

    private static String noted(int tenant, int pos, String event, String sender, long ts, boolean highlight) {
        return "INSERT INTO push.noted VALUES (%d,'!r:one.example',%d,'main',0,'%s','%s',%d,'[\"notify\"]',%d,0,%s,false)"
                .formatted(tenant, pos, event, sender, ts, pos, highlight);
    }

    @Test
    void pagesAreAsLongAsWhatRoomServiceTells() {
        var whole = ids(page(""));
        lookedMax = 1;
        try {
            var listed = new ArrayList<String>();
            var page = page("");
            listed.addAll(ids(page));
            while (page.has("next_token")) {
                page = page("?from=" + page.path("next_token").stringValue());
                assertThat(ids(page)).hasSizeLessThanOrEqualTo(1);
                listed.addAll(ids(page));
            }
            assertThat(listed).isEqualTo(whole);
        } finally {
            lookedMax = Integer.MAX_VALUE;
        }
    }

    @Test
    void newestComeFirstAndWhatTheUserMayNotSeeIsLeftOut() {
        var page = page("");
        assertThat(ids(page)).containsExactly("$invite", "$one", "$read", "$oldhigh");
        var first = page.path("notifications").path(0);
        assertThat(first.path("event").has("room_id")).isFalse();
        assertThat(first.path("room_id").stringValue()).isEqualTo("!i:one.example");
        assertThat(first.has("profile_tag")).isFalse();
        assertThat(first.path("ts").longValue()).isEqualTo(NOW - 1_000);
        assertThat(first.path("actions").toString())
                .isEqualTo("[\"notify\",{\"set_tweak\":\"sound\",\"value\":\"default\"}]");
        assertThat(page.path("notifications")
                        .valueStream()
                        .map(it -> it.path("read").booleanValue()))
                .containsExactly(false, false, true, true);
        assertThat(page.has("next_token")).isFalse();
    }

    @Test
    void onlyHighlightsOrOnlyWhatIsUnreadOnRequest() {
        assertThat(ids(page("?only=highlight"))).containsExactly("$invite", "$oldhigh");
        assertThat(ids(page("?only=unread"))).containsExactly("$invite", "$one");
    }

    @Test
    void pagesFollowOnEachOther() {
        var all = new ArrayList<String>();
        var page = page("?limit=1");
        all.addAll(ids(page));
        while (page.has("next_token")) {
            page = page("?limit=1&from=" + page.path("next_token").stringValue());
            all.addAll(ids(page));
        }
        assertThat(all).containsExactly("$invite", "$one", "$read", "$oldhigh");
    }

    @Test
    void anotherTenantHasItsOwn() {
        var page = node.call(new UserDevice(2, "ada", "D"), "GET", "/v3/notifications", null)
                .body();
        assertThat(ids(page)).containsExactly("$elsewhere");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"?only=everything", "?limit=0", "?limit=-1", "?limit=x", "?from=x", "?from=MSAxIDE", "?from=%00"
            })
    void oddQueriesAreRefused(String query) {
        var answer = node.call(ADA, "GET", "/v3/notifications" + query, null);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.errcode()).isEqualTo("M_INVALID_PARAM");
    }

    private static JsonNode page(String query) {
        var answer = node.call(ADA, "GET", "/v3/notifications" + query, null);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body();
    }

    private static List<String> ids(JsonNode page) {
        return page.path("notifications")
                .valueStream()
                .map(item -> item.path("event").path("event_id").stringValue())
                .toList();
    }
}
