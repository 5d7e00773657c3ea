// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reports to the administrators of a tenant (contract.md 13.11). deploy/e2e tests the same through admin-service. */
class ReportsIT {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int OF_USER_A_DAY = 5;

    @RegisterExtension
    static final RoomServer server = RoomServer.own("--rookery.room.report.of-user-a-day=" + OF_USER_A_DAY);

    private final Talk talk = new Talk(server);

    @Test
    void reportOfAnEventKeepsTheEventAsItWas() {
        String room = talk.room("eve", "mallory");
        server.as("ada").put("/rooms/" + room + "/state/m.room.name", "{\"name\":\"old \\u0000name\"}");
        String event = Talk.say(server.as("mallory"), room, "an insult");
        assertThat(report("eve", "/rooms/" + room + "/report/" + event, "{\"reason\":\"rude\",\"score\":-100}"))
                .isEqualTo(200);
        server.as("mallory").put("/rooms/" + room + "/redact/" + event + "/" + Talk.txn(), "{}");
        server.as("ada").put("/rooms/" + room + "/state/m.room.name", "{\"name\":\"new name\"}");

        var report = newest("eve");
        assertThat(report.path("reporter").asString()).isEqualTo("@eve:example.org");
        assertThat(report.path("reason").asString()).isEqualTo("rude");
        assertThat(report.path("room_id").asString()).isEqualTo(room);
        assertThat(report.path("room_name").asString()).isEqualTo("old \uFFFDname");
        assertThat(report.path("event_id").asString()).isEqualTo(event);
        assertThat(report.path("user_id").asString()).isEqualTo("@mallory:example.org");
        assertThat(report.at("/event/content/body").asString()).isEqualTo("an insult");
        assertThat(report.path("state").asString()).isEqualTo("open");
    }

    @Test
    void reporterLearnsOfNoEventRoomOrUser() {
        String room = talk.room("frank");
        String event = Talk.say(server.as("ada"), room, "hello");
        assertThat(report("frank", "/rooms/" + room + "/report/$nothing", "{}")).isEqualTo(404);
        assertThat(report("gina", "/rooms/" + room + "/report/" + event, "{}")).isEqualTo(404);
        assertThat(report("gina", "/rooms/!nowhere:example.org/report/" + event, "{}"))
                .isEqualTo(404);
        assertThat(report("gina", "/rooms/" + room + "/report", "{\"reason\":\"\"}"))
                .isEqualTo(200);
        assertThat(report("gina", "/rooms/!nowhere:example.org/report", "{\"reason\":\"\"}"))
                .isEqualTo(200);
        assertThat(report("gina", "/users/@nobody:example.org/report", "{\"reason\":\"\"}"))
                .isEqualTo(200);
        assertThat(report("@eve:example.net", "/rooms/" + room + "/report", "{\"reason\":\"\"}"))
                .as("another tenant")
                .isEqualTo(200);
        assertThat(list("{\"tenant\":2}", "", null).total).isZero();

        assertThat(report("gina", "/rooms/" + room + "/report", "{}")).isEqualTo(400);
        assertThat(report("gina", "/users/@ada:example.org/report", "{\"reason\":5}"))
                .isEqualTo(400);
        assertThat(report("gina", "/users/@ada:example.org/report", "{\"reason\":\"" + "x".repeat(2001) + "\"}"))
                .isEqualTo(400);
    }

    @Test
    void oneUserReportsOnlySoMuchADayAndTheSameThingOnce() {
        for (int i = 0; i < OF_USER_A_DAY + 3; i++) {
            int status = report("henry", "/users/@u" + (i % 2) + ":example.org/report", "{\"reason\":\"r" + i + "\"}");
            assertThat(status).isEqualTo(200);
        }
        assertThat(newest("henry").path("reason").asString()).isEqualTo("r" + (OF_USER_A_DAY + 2));
        for (int i = 2; i < OF_USER_A_DAY; i++) {
            assertThat(report("henry", "/users/@u" + i + ":example.org/report", "{\"reason\":\"\"}"))
                    .isEqualTo(200);
        }
        assertThat(report("henry", "/users/@more:example.org/report", "{\"reason\":\"\"}"))
                .isEqualTo(429);
        assertThat(report("ivy", "/users/@more:example.org/report", "{\"reason\":\"\"}"))
                .isEqualTo(200);
    }

    @Test
    void closedReportStaysAsItWasClosed() {
        report("jane", "/users/@bad:example.org/report", "{\"reason\":\"spam\"}");
        String id = newest("jane").path("id").asString();
        assertThat(close(1, id, "@root:example.org", "warned").path("state").asString())
                .isEqualTo("closed");
        var again = close(1, id, "@other:example.org", "again");
        assertThat(again.path("closed_by").asString()).isEqualTo("@root:example.org");
        assertThat(again.path("note").asString()).isEqualTo("warned");
        report("jane", "/users/@bad:example.org/report", "{\"reason\":\"spam again\"}");
        assertThat(newest("jane").path("state").asString())
                .as("a report after the first was closed is a new one")
                .isEqualTo("open");
        for (String wrong : new String[] {"0", "x", ""}) {
            assertThat(server.internal("POST", "/internal/admin/reports/find", subject(1, wrong))
                            .status())
                    .isEqualTo(404);
        }
        assertThat(server.internal("POST", "/internal/admin/reports/find", subject(2, id))
                        .status())
                .as("another tenant")
                .isEqualTo(404);
    }

    @Test
    void pagesGoOnAfterTheReportBefore() {
        for (int i = 0; i < 3; i++) {
            report("kim", "/users/@k" + i + ":example.org/report", "{\"reason\":\"\"}");
        }
        var first = list("{\"tenant\":1,\"closed\":false}", "", 2);
        assertThat(first.items).hasSize(2);
        var second = list("{\"tenant\":1,\"closed\":false}", first.next, 1);
        assertThat(id(second, 0)).isLessThan(id(first, 1));
        assertThat(server.raw("/internal/admin/reports", "{\"filter\":{\"tenant\":1},\"after\":\"x\",\"limit\":1}"))
                .contains("M_INVALID_PARAM");
    }

    private static long id(ListedReports reports, int index) {
        return reports.items.get(index).path("id").longValue();
    }

    private static int report(String user, String path, String body) {
        return server.as(user).post(path, body).status();
    }

    /** The head of a list, its items and its next key. */
    private static ListedReports list(String filter, String after, @Nullable Integer limit) {
        var lines = server.raw(
                        "/internal/admin/reports",
                        "{\"filter\":%s,\"after\":\"%s\",\"limit\":%s}".formatted(filter, after, limit))
                .lines()
                .map(JSON::readTree)
                .toList();
        return new ListedReports(
                lines.getFirst().path("total").intValue(),
                lines.subList(1, lines.size() - 1),
                lines.getLast().path("next").asString(""));
    }

    private record ListedReports(int total, List<JsonNode> items, String next) {}

    private static JsonNode newest(String reporter) {
        return list("{\"tenant\":1}", "", null).items.stream()
                .filter(report -> report.path("reporter").asString().equals("@" + reporter + ":example.org"))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode close(int tenant, String id, String administrator, String note) {
        return server.internal(
                        "POST",
                        "/internal/admin/reports/close",
                        "{\"tenant\":%d,\"id\":\"%s\",\"administrator\":\"%s\",\"note\":\"%s\"}"
                                .formatted(tenant, id, administrator, note))
                .json();
    }

    private static String subject(int tenant, String id) {
        return "{\"tenant\":%d,\"id\":\"%s\"}".formatted(tenant, id);
    }
}
