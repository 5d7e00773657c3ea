// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.directory.RunningDirectory.ONE;
import static rookery.directory.RunningDirectory.TWO;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.directory.FakeRooms;
import rookery.directory.RunningDirectory;
import rookery.directory.RunningDirectory.Answer;
import rookery.directory.RunningDirectory.Someone;
import rookery.embedded.TestServers;

/** Aliases, and the visibility of rooms in the directory, over HTTP with a real database (contract.md 6). */
class AliasIT {
    private static final Someone ADA = ONE.user("ada");
    private static final Someone BOB = ONE.user("bob");
    private static final Someone ROOT = ONE.admin("root");
    private static final String ROOM = "!aaaaaaaaaaaaaaaaaa:one.example";
    private static final String OTHER_ROOM = "!bbbbbbbbbbbbbbbbbb:one.example";
    private static final String OPEN_ROOM = "!cccccccccccccccccc:one.example";
    private static final String UNKNOWN_ROOM = "!dddddddddddddddddd:one.example";

    private static FakeRooms rooms;
    private static RunningDirectory directory;

    @BeforeAll
    static void start() {
        rooms = new FakeRooms();
        rooms.make(1, ROOM, false);
        rooms.join(1, ROOM, "@ada:one.example", 0);
        rooms.join(1, ROOM, "@bob:one.example", 0);
        rooms.join(1, ROOM, "@mod:one.example", 50);
        rooms.make(1, OTHER_ROOM, false);
        rooms.join(1, OTHER_ROOM, "@ada:one.example", 0);
        rooms.make(1, OPEN_ROOM, true);
        directory = new RunningDirectory(
                TestServers.database("directory-service"),
                rooms,
                "--rookery.directory.alias.reserved=irc_.*",
                "--rookery.directory.alias.of-user-max=50",
                "--rookery.directory.alias.of-room-max=60");
    }

    @AfterAll
    static void stop() {
        directory.close();
        rooms.close();
    }

    @Test
    void anybodyFollowsAnAlias() {
        assertThat(put(ADA, "%23lobby:one.example", ROOM).status()).isEqualTo(200);

        var answer = get(ONE.nobody(), "%23lobby:one.example");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().toString()).isEqualTo("{\"room_id\":\"" + ROOM + "\",\"servers\":[\"one.example\"]}");
    }

    @Test
    void anotherTenantDoesNotFindIt() {
        put(ADA, "%23ours:one.example", ROOM);

        assertThat(get(TWO.nobody(), "%23ours:one.example").errcode()).isEqualTo("M_NOT_FOUND");
    }

    @Test
    void slashInAnAliasIsData() {
        assertThat(put(ADA, "%23a%2Fb%3Bc%20%C3%A9:one.example", ROOM).status()).isEqualTo(200);
        assertThat(get(BOB, "%23a%2Fb%3Bc%20%C3%A9:one.example").status()).isEqualTo(200);
        assertThat(get(BOB, "%23a:one.example").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "%23unknown:one.example, 404, M_NOT_FOUND",
        "%23foreign:two.example, 404, M_NOT_FOUND",
        "lobby:one.example, 400, M_INVALID_PARAM",
        "%23lobby, 400, M_INVALID_PARAM",
        "%23:one.example, 400, M_INVALID_PARAM",
        "%23a%00b:one.example, 400, M_INVALID_PARAM",
    })
    void lookUpsThatLeadNowhereSayWhy(String alias, int status, String errcode) {
        var answer = get(ONE.nobody(), alias);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.errcode()).isEqualTo(errcode);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "%23n1:one.example | {\"room_id\":\"" + UNKNOWN_ROOM + "\"} | 404 | M_NOT_FOUND",
                "%23n2:two.example | {\"room_id\":\"" + ROOM + "\"} | 400 | M_INVALID_PARAM",
                "n3:one.example | {\"room_id\":\"" + ROOM + "\"} | 400 | M_INVALID_PARAM",
                "%23n4:one.example | {\"room_id\":\"lobby\"} | 400 | M_INVALID_PARAM",
                "%23n5:one.example | {\"room_id\":7} | 400 | M_BAD_JSON",
                "%23n6:one.example | {} | 400 | M_MISSING_PARAM",
                "%23n7:one.example | [] | 400 | M_BAD_JSON",
                "%23n8:one.example | { | 400 | M_NOT_JSON",
                "%23irc_x:one.example | {\"room_id\":\"" + ROOM + "\"} | 400 | M_EXCLUSIVE",
                "%23n9:one.example | {\"room_id\":\"" + OPEN_ROOM + "\"} | 403 | M_FORBIDDEN",
            })
    void badClaimsAreRefused(String alias, String body, int status, String errcode) {
        var answer = directory.call(ADA, "PUT", "/v3/directory/room/" + alias, body);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.errcode()).isEqualTo(errcode);
        assertThat(get(ADA, alias).status()).isNotEqualTo(200);
    }

    @Test
    void claimingNeedsAToken() {
        assertThat(put(ONE.nobody(), "%23t:one.example", ROOM).errcode()).isEqualTo("M_MISSING_TOKEN");
    }

    @Test
    void oneUserHasSoManyAliases() {
        String room = "!eeeeeeeeeeeeeeeeee:one.example";
        rooms.make(1, room, false);
        for (String name : List.of("zoe", "yan")) {
            rooms.join(1, room, "@" + name + ":one.example", 0);
            int count = 0;
            while (put(ONE.user(name), "%23" + name + count + ":one.example", room)
                            .status()
                    == 200) {
                count++;
            }
            // the second user reaches the limit of the room
            assertThat(count).isEqualTo(name.equals("zoe") ? 50 : 10);
            var refused = put(ONE.user(name), "%23" + name + "x:one.example", room);
            assertThat(refused.status() + " " + refused.errcode()).isEqualTo("403 M_FORBIDDEN");
        }
        assertThat(directory
                        .call(ONE.user("zoe"), "DELETE", "/v3/directory/room/%23zoe0:one.example", null)
                        .status())
                .isEqualTo(200);
        assertThat(put(ONE.user("zoe"), "%23zoex:one.example", room).status()).isEqualTo(200);
    }

    @Test
    void roomThatIsNotListedIsUnknownToStrangers() {
        String room = "!ffffffffffffffffff:one.example";
        rooms.make(1, room, false);
        rooms.join(1, room, "@ada:one.example", 0);
        rooms.tellMade(1, room);
        var unknown = listing(ONE.nobody(), UNKNOWN_ROOM);
        assertThat(unknown.status() + " " + unknown.errcode()).isEqualTo("404 M_NOT_FOUND");
        assertThat(listing(ADA, room).body().path("visibility").asString()).isEqualTo("private");
        assertThat(listing(ROOT, room).body().path("visibility").asString()).isEqualTo("private");
        for (var stranger : List.of(ONE.nobody(), BOB, TWO.user("ada"))) {
            assertThat(listing(stranger, room)).isEqualTo(unknown);
        }
        assertThat(listing(ROOT, UNKNOWN_ROOM)).isEqualTo(unknown);
    }

    private static Answer listing(Someone someone, String room) {
        return directory.call(someone, "GET", "/v3/directory/list/room/" + room.replace("!", "%21"), null);
    }

    @Test
    void administratorNamesAnyRoom() {
        assertThat(put(ROOT, "%23by-root:one.example", OPEN_ROOM).status()).isEqualTo(200);
    }

    @Test
    void takenNameIsAConflictEvenForTheSameRoom() {
        put(ADA, "%23taken:one.example", ROOM);

        var again = put(ADA, "%23taken:one.example", ROOM);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.errcode()).isEqualTo("M_UNKNOWN");
        assertThat(put(ADA, "%23taken:one.example", OTHER_ROOM).status()).isEqualTo(409);
        assertThat(get(ADA, "%23taken:one.example").body().path("room_id").stringValue())
                .isEqualTo(ROOM);
    }

    @Test
    void ofManyWhoClaimANameOneGetsIt() throws Exception {
        Callable<Integer> claim = () -> put(ADA, "%23race:one.example", ROOM).status();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var statuses = threads.invokeAll(Collections.nCopies(30, claim)).stream()
                    .map(future -> future.resultNow())
                    .sorted()
                    .toList();
            assertThat(statuses.getFirst()).isEqualTo(200);
            assertThat(statuses.subList(1, 30)).containsOnly(409);
        }
    }

    @Test
    void onlyCreatorAdministratorAndModeratorDelete() {
        IntStream.range(0, 3).forEach(i -> put(ADA, "%23gone" + i + ":one.example", ROOM));

        assertThat(delete(BOB, "%23gone0:one.example").errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(delete(ADA, "%23gone0:one.example").body().toString()).isEqualTo("{}");
        assertThat(delete(ROOT, "%23gone1:one.example").status()).isEqualTo(200);
        assertThat(delete(ONE.user("mod"), "%23gone2:one.example").status()).isEqualTo(200);

        IntStream.range(0, 3)
                .forEach(
                        i -> assertThat(get(ADA, "%23gone" + i + ":one.example").status())
                                .isEqualTo(404));
        assertThat(delete(ADA, "%23gone0:one.example").errcode()).isEqualTo("M_NOT_FOUND");
        assertThat(delete(ADA, "%23gone0:two.example").errcode()).isEqualTo("M_NOT_FOUND");
        assertThat(rooms.forgotten())
                .containsExactly("{\"tenant\":1,\"user\":\"@mod:one.example\",\"alias\":\"#gone2:one.example\"}");
    }

    @Test
    void membersSeeTheNamesOfARoomAndOthersDoNot() {
        put(ADA, "%23first:one.example", OTHER_ROOM);
        put(ADA, "%23second:one.example", OTHER_ROOM);

        var names = directory.call(ADA, "GET", "/v3/rooms/" + OTHER_ROOM + "/aliases", null);
        assertThat(names.body().toString()).isEqualTo("{\"aliases\":[\"#first:one.example\",\"#second:one.example\"]}");
        assertThat(directory
                        .call(BOB, "GET", "/v3/rooms/" + OTHER_ROOM + "/aliases", null)
                        .errcode())
                .isEqualTo("M_FORBIDDEN");
        assertThat(directory
                        .call(BOB, "GET", "/v3/rooms/" + UNKNOWN_ROOM + "/aliases", null)
                        .errcode())
                .isEqualTo("M_FORBIDDEN");
        assertThat(directory
                        .call(BOB, "GET", "/v3/rooms/" + OPEN_ROOM + "/aliases", null)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void whatIsNotServedIsUnknown() {
        assertThat(directory.call(ADA, "GET", "/v3/directory/nonsense", null).errcode())
                .isEqualTo("M_UNRECOGNIZED");
        assertThat(directory
                        .call(ADA, "PATCH", "/v3/directory/room/%23a:one.example", null)
                        .status())
                .isEqualTo(405);
    }

    @Test
    void numbersForTheStatistics() {
        assertThat(directory.internal("GET", "/stats?tenant=1", null).body().toString())
                .isEqualTo("{\"published\":0}");
    }

    private static Answer get(Someone someone, String alias) {
        return directory.call(someone, "GET", "/v3/directory/room/" + alias, null);
    }

    private static Answer put(Someone someone, String alias, @Nullable String room) {
        return directory.call(someone, "PUT", "/v3/directory/room/" + alias, "{\"room_id\":\"" + room + "\"}");
    }

    private static Answer delete(Someone someone, String alias) {
        return directory.call(someone, "DELETE", "/v3/directory/room/" + alias, null);
    }
}
