// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.room.RoomDatabase;
import tools.jackson.databind.json.JsonMapper;

/** The children of spaces are read without the bodies of their events. */
class SpaceChildrenIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TenantUser ADA = new TenantUser(new TenantId(1), new UserId("@ada:s"));
    private static final RoomId SPACE = new RoomId("!space:s");
    private static final String VIA = "{\"via\":[\"s\"]}";

    private final Database database = TestServers.database("room-service");
    private final DatabaseClient db = RoomDatabase.client(database);
    private final SpaceChildren children = new SpaceChildren(db);
    private int pos;

    @BeforeEach
    void create() {
        create(SPACE);
    }

    private void create(RoomId space) {
        database.execute("""
                INSERT INTO room.room (tenant, room_id, shard, creator, created_ms, state_pos, joined, invited)
                VALUES (1, '%s', 0, '@ada:s', 0, 1, 1, 0)
                """.formatted(space.value()));
        state(space, "m.room.member", "@ada:s", "join", "'{}'");
    }

    /** @param content an expression of SQL */
    private void state(RoomId space, String type, String key, String membership, String content) {
        pos++;
        database.execute("""
                INSERT INTO room.state (tenant, room_id, type, state_key, valid_from, event_id, membership)
                VALUES (1, '%s', '%s', '%s', %d, '$%4$d', nullif('%s', ''))
                """.formatted(space.value(), type, key, pos, membership), """
                INSERT INTO room.log_entry (shard, pos, kind, unit_end, tenant, room_id, created_ms, body)
                VALUES (0, %d, 'event', true, 1, '%s', 0,
                        '%s' || chr(10) || '{"content":' || %s || '}' || chr(10) || chr(10))
                """.formatted(
                        pos, space.value(), meta(type, key), content));
    }

    private static String meta(String type, String key) {
        var room = new RoomAtEvent("shared", 1, 0);
        var meta = EventMeta.builder(new EventId("$event"), type, ADA.user(), 0, room)
                .stateKey(key)
                .build();
        return JsonMapper.shared().writeValueAsString(meta);
    }

    private void child(String key, String content) {
        state(SPACE, "m.space.child", key, "", "'" + content + "'");
    }

    private void largeChildren(RoomId space, int count) {
        IntStream.range(0, count)
                .forEach(i -> state(
                        space,
                        "m.space.child",
                        "!large" + i + ":s",
                        "",
                        "'{\"filling\":\"' || repeat('x', 60000) || '\",\"via\":[\"s\"]}'"));
    }

    private Map<RoomId, Set<String>> read(RoomId... spaces) {
        return children.read(ADA, List.of(spaces)).blockOptional(PATIENCE).orElseThrow();
    }

    private GenericExecuteSpec statement(String prefix) {
        return db.sql(prefix + SpaceChildren.READ)
                .bind("tenant", 1)
                .bind("user", "@ada:s")
                .bind("rooms", new String[] {SPACE.value()})
                .bind("limit", SpaceChildren.CHILDREN_MAX);
    }

    @Test
    void childrenHaveServers() {
        child("!present:s", VIA);
        child("!without:s", "{}");
        child("!empty:s", "{\"via\":[]}");
        child("!text:s", "{\"via\":\"s\"}");
        child("!null:s", "{\"via\":null}");
        child("!inside:s", "{\"more\":{\"via\":[\"s\"]}}");
        child("!quoted:s", "{\"a\":\"\\\"via\\\":[\\\"s\\\"]\"}");

        assertThat(read(SPACE)).isEqualTo(Map.of(SPACE, Set.of("!present:s")));
    }

    @Test
    void charactersThatPostgresCannotReadChangeNothing() {
        child("!zero:s", "{\"a\":\"\\u0000\",\"via\":[\"s\"]}");
        child("!key:s", "{\"via\\u0000\":[\"s\"]}");
        child("!escaped:s", "{\"a\":\"\\\\u0000\\\\\",\"via\":[\"s\"]}");
        child("!half:s", "{\"a\":\"\\ud83d\",\"via\":[\"s\"]}");
        child("!whole:s", "{\"a\":\"\\ud83d\\ude00\",\"via\":[\"s\"]}");

        assertThat(read(SPACE).get(SPACE)).containsExactlyInAnyOrder("!zero:s", "!escaped:s", "!half:s", "!whole:s");
    }

    @Test
    void replacedChildrenAreNotChildren() {
        child("!gone:s", VIA);
        database.execute("UPDATE room.state SET valid_to = 100 WHERE type = 'm.space.child'");
        child("!gone:s", "{}");

        assertThat(read(SPACE)).isEmpty();
    }

    @Test
    void spacesThatTheUserHasLeftAreLeftOut() {
        child("!present:s", VIA);
        state(SPACE, "m.room.member", "@ada:s", "leave", "'{}'");

        assertThat(read(SPACE, new RoomId("!unknown:s"))).isEmpty();
    }

    @Test
    void rowsOfLargeChildrenHaveNoBodies() {
        largeChildren(SPACE, 20);

        assertThat(read(SPACE).get(SPACE)).hasSize(20);
        var rows = statement("").fetch().all().collectList().block(PATIENCE);
        assertThat(rows)
                .hasSize(20)
                .allSatisfy(row -> assertThat(row.toString()).hasSizeLessThan(200));
    }

    @Test
    void aSpaceHasAtMostSoManyChildren() {
        database.execute("""
                INSERT INTO room.state (tenant, room_id, type, state_key, valid_from, event_id)
                SELECT 1, '!space:s', 'm.space.child', '!child' || i || ':s', 100 + i, '$' || i
                  FROM generate_series(1, 1200) i
                """, """
                INSERT INTO room.log_entry (shard, pos, kind, unit_end, tenant, room_id, created_ms, body)
                SELECT 0, 100 + i, 'event', true, 1, '!space:s', 0,
                       replace('%s', 'KEY', '!child' || i || ':s') || chr(10) || '{"content":{"via":["s"]}}' || chr(10) || chr(10)
                  FROM generate_series(1, 1200) i
                """.formatted(meta("m.space.child", "KEY")));

        assertThat(read(SPACE).get(SPACE)).hasSize(SpaceChildren.CHILDREN_MAX);
    }

    @Test
    void theStatementReadsByIndex() {
        database.execute("""
                INSERT INTO room.room (tenant, room_id, shard, creator, created_ms, state_pos, joined, invited)
                SELECT 1, '!room' || i || ':s', 0, '@ada:s', 0, 1, 1, 0 FROM generate_series(1, 300) i
                """, """
                INSERT INTO room.state (tenant, room_id, type, state_key, valid_from, event_id, membership)
                SELECT 1, '!room' || i || ':s', 'm.room.member', '@user' || j || ':s', 1000 * i + j, '$' || i, 'join'
                  FROM generate_series(1, 300) i, generate_series(1, 200) j
                """, """
                INSERT INTO room.state (tenant, room_id, type, state_key, valid_from, event_id)
                SELECT 1, '!room' || i || ':s', 'm.space.child', '!child' || j || ':s', 1000 * i + 200 + j, '$' || i
                  FROM generate_series(1, 30) i, generate_series(1, 10) j
                """, """
                INSERT INTO room.log_entry (shard, pos, kind, unit_end, tenant, room_id, created_ms, body)
                SELECT 0, 100 + i, 'event', true, 1, '!space:s', 0, 'body' FROM generate_series(1, 60000) i
                """, "ANALYZE room.room, room.state, room.log_entry");

        var plan = statement("EXPLAIN (COSTS OFF) ")
                .mapValue(String.class)
                .all()
                .collectList()
                .blockOptional(PATIENCE)
                .orElseThrow();

        assertThat(plan)
                .noneMatch(line -> line.contains("Seq Scan"))
                .anyMatch(line -> line.contains("Index Cond") && line.contains("type = 'm.space.child'::text"));
    }
}
