// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.r2dbc.core.DatabaseClient;
import tools.jackson.databind.JsonNode;

/** Lists of rooms and files for administrators in every order (contract.md 5.2). */
class ListOrdersIT {
    private static final String ROOMS = "/internal/admin/rooms";
    private static final String MEDIA = "/internal/admin/media";
    private static final int ITEMS = 7;

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    /** Rooms and files, of which several have the same time and the same number. */
    @BeforeAll
    static void make() {
        var media = new MediaClient(server);
        for (int i = 0; i < ITEMS; i++) {
            String room = server.as("ada").createRoom("{\"preset\":\"public_chat\"}");
            set("UPDATE room.room SET created_ms = %d, joined = %d".formatted(1000 + i % 3, i % 4), "room_id", room);
            byte[] bytes = ("x".repeat(5 + i % 3) + i).getBytes(StandardCharsets.UTF_8);
            String file = media.uploaded("ada", bytes, "");
            set(
                    "UPDATE room.media SET created_ms = %d".formatted(2000 + i % 2),
                    "id",
                    file.substring(file.indexOf('/') + 1));
        }
    }

    private static void set(String update, String column, String id) {
        long rows = Objects.requireNonNull(server.bean(DatabaseClient.class)
                .sql(update + " WHERE tenant = 1 AND " + column + " = :id")
                .bind("id", id)
                .fetch()
                .rowsUpdated()
                .block());
        assertThat(rows).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "room_id, false", "room_id, true",
        "created_at, false", "created_at, true",
        "joined_members, false", "joined_members, true"
    })
    void pagesOfRoomsShowEachRoomOnceInOrder(String by, boolean backwards) {
        var body = "{\"asked\":{\"tenant\":1},\"after\":\"AFTER\",\"limit\":2,%s}".formatted(order(by, backwards));
        var rooms = AdminList.pages(server, ROOMS, body);
        assertOrder(rooms, by, "room_id", backwards);
        assertSkips(ROOMS, body, rooms, "room_id");
    }

    @ParameterizedTest
    @CsvSource({"created_ts, false", "created_ts, true", "size, false", "size, true"})
    void pagesOfFilesShowEachFileOnceInOrder(String by, boolean backwards) {
        var body = "{\"filter\":{\"tenant\":1},\"after\":\"AFTER\",\"limit\":2,%s}".formatted(order(by, backwards));
        var files = AdminList.pages(server, MEDIA, body);
        assertOrder(files, by, "media_id", backwards);
        assertSkips(MEDIA, body, files, "media_id");
    }

    @Test
    void listsWithoutAnOrderAreAsBefore() {
        var rooms = AdminList.pages(server, ROOMS, "{\"asked\":{\"tenant\":1},\"after\":\"AFTER\",\"limit\":3}");
        assertOrder(rooms, "room_id", "room_id", false);
        var files = AdminList.pages(server, MEDIA, "{\"filter\":{\"tenant\":1},\"after\":\"AFTER\",\"limit\":3}");
        assertOrder(files, "created_ts", "media_id", true);
    }

    @Test
    void unknownOrdersAndKeysAreRefused() {
        for (String by : List.of("last_event_ts", "name", "room_id; DROP TABLE room.room")) {
            assertThat(server.raw(ROOMS, "{\"asked\":{\"tenant\":1},\"after\":\"\"," + order(by, true) + "}"))
                    .contains("M_INVALID_PARAM");
            assertThat(server.raw(MEDIA, "{\"filter\":{\"tenant\":1},\"after\":\"\"," + order(by, true) + "}"))
                    .contains("M_INVALID_PARAM");
        }
        assertThat(server.raw(ROOMS, "{\"asked\":{\"tenant\":1},\"after\":\"!x\"," + order("created_at", true) + "}"))
                .contains("M_INVALID_PARAM");
    }

    private static String order(String by, boolean backwards) {
        return "\"order\":{\"by\":\"%s\",\"backwards\":%s}".formatted(by, backwards);
    }

    private static void assertOrder(List<JsonNode> items, String by, String id, boolean backwards) {
        Comparator<JsonNode> byId = Comparator.comparing(item -> item.path(id).asString());
        var order = by.equals(id)
                ? byId
                : Comparator.<JsonNode>comparingLong(item -> item.path(by).longValue())
                        .thenComparing(byId);
        assertThat(items).hasSize(ITEMS).isSortedAccordingTo(backwards ? order.reversed() : order);
        assertThat(ids(items, id)).doesNotHaveDuplicates();
    }

    /** Each number of skipped items shows the items behind, and from there the pages go on by their keys. */
    private static void assertSkips(String path, String body, List<JsonNode> items, String id) {
        for (int skip = 0; skip <= ITEMS; skip++) {
            var page = AdminList.page(server, path, body.replace("\"limit\"", "\"skip\":" + skip + ",\"limit\""), "");
            var shown = new ArrayList<>(page.items());
            if (page.next() != null) {
                shown.addAll(AdminList.page(server, path, body, page.next()).items());
            }
            assertThat(ids(shown, id)).isEqualTo(ids(items.subList(skip, Math.min(skip + 4, ITEMS)), id));
        }
    }

    private static List<String> ids(List<JsonNode> items, String id) {
        return items.stream().map(item -> item.path(id).asString()).toList();
    }
}
