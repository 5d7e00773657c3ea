// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import tools.jackson.databind.json.JsonMapper;

class KeyBackupIT {
    private static final String VERSION = "/_api/client/v3/room_keys/version";
    private static final String KEYS = "/_api/client/v3/room_keys/keys";
    private static final String BACKUP = "{\"algorithm\":\"m.megolm_backup.v1\",\"auth_data\":{\"public_key\":\"%s\"}}";
    private static final String ROOM = "!aaaaaaaaaaaaaaaaaa:alpha.example";
    private static final String OTHER = "!bbbbbbbbbbbbbbbbbb:alpha.example";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final AuthServer server = AuthServer.shared();
    private final Answer ada = server.register(ALPHA, AuthServer.name(), "correct horse");

    @Test
    void backupIsMadeShownChangedAndDeleted() {
        assertThat(call("GET", VERSION, null).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(create("a")).isEqualTo("1");
        assertThat(call("GET", VERSION, null).raw().body()).isEqualTo("""
                {"algorithm":"m.megolm_backup.v1","auth_data":{"public_key":"a"},"count":0,"etag":"0","version":"1"}""");

        assertThat(call("PUT", VERSION + "/1", BACKUP.formatted("b")).raw().body())
                .isEqualTo("{}");
        assertThat(call("GET", VERSION + "/1", null).json().path("auth_data").toString())
                .isEqualTo("{\"public_key\":\"b\"}");
        assertThat(create("c")).isEqualTo("2");
        assertThat(call("GET", VERSION, null).text("version")).isEqualTo("2");

        assertThat(call("DELETE", VERSION + "/2", null).raw().body()).isEqualTo("{}");
        assertThat(call("DELETE", VERSION + "/2", null).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(call("GET", VERSION + "/2", null).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(call("GET", VERSION, null).text("version")).isEqualTo("1");
        assertThat(create("d")).as("no number is given again").isEqualTo("3");
    }

    @Test
    void keysComeBackAsTheyWere() {
        String version = create("a");
        String one = session(3, 0, false, "one");
        String two = session(1, 2, true, "\\u0000\\u00fc");

        var put = call("PUT", KEYS + "?version=" + version, """
                {"rooms":{"%s":{"sessions":{"s1":%s,"s/2":%s}},"%s":{"sessions":{"s3":%s}}}}
                """.formatted(ROOM, one, two, OTHER, one));

        assertThat(put.raw().body()).isEqualTo("{\"etag\":\"1\",\"count\":3}");
        assertThat(call("GET", KEYS + "?version=" + version, null).json())
                .isEqualTo(JSON.readTree("""
                {"rooms":{"%s":{"sessions":{"s1":%s,"s/2":%s}},"%s":{"sessions":{"s3":%s}}}}
                """.formatted(ROOM, one, two, OTHER, one)));
        assertThat(call("GET", KEYS + "/" + ROOM + "?version=" + version, null).json())
                .isEqualTo(JSON.readTree("{\"sessions\":{\"s1\":%s,\"s/2\":%s}}".formatted(one, two)));
        assertThat(call("GET", KEYS + "/" + ROOM + "/s%2F2?version=" + version, null)
                        .json())
                .isEqualTo(JSON.readTree(two));
        assertThat(call("GET", VERSION, null).json().path("count").intValue()).isEqualTo(3);
    }

    @Test
    void whatIsNotThereIsEmptyOrNotFound() {
        String version = create("a");

        assertThat(call("GET", KEYS + "?version=" + version, null).raw().body()).isEqualTo("{\"rooms\":{}}");
        assertThat(call("GET", KEYS + "/" + ROOM + "?version=" + version, null)
                        .raw()
                        .body())
                .isEqualTo("{\"sessions\":{}}");
        assertThat(call("GET", KEYS + "/" + ROOM + "/s?version=" + version, null)
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
        for (String path : List.of(KEYS, KEYS + "/" + ROOM, KEYS + "/" + ROOM + "/s")) {
            for (String unknown : List.of("2", "01", "-1", "x", "99999999999999999999")) {
                assertThat(call("GET", path + "?version=" + unknown, null).refusal())
                        .isEqualTo("404 M_NOT_FOUND");
                assertThat(call("DELETE", path + "?version=" + unknown, null).refusal())
                        .isEqualTo("404 M_NOT_FOUND");
            }
            assertThat(call("GET", path, null).refusal()).isEqualTo("400 M_MISSING_PARAM");
            assertThat(call("GET", path + "?version=", null).refusal()).isEqualTo("400 M_MISSING_PARAM");
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            5, 5, false, 9, 9, true,  true
            5, 5, true,  1, 1, false, false
            5, 5, false, 4, 9, false, true
            5, 5, false, 6, 1, false, false
            5, 5, true,  5, 4, true,  true
            5, 5, true,  5, 6, true,  false
            5, 5, true,  5, 5, true,  false
            """)
    void betterKeyReplacesTheOneThatIsThere(
            int index, int forwarded, boolean verified, int index2, int forwarded2, boolean verified2, boolean better) {
        String version = create("a");
        String path = KEYS + "/" + ROOM + "/s?version=" + version;
        String before = session(index, forwarded, verified, "before");
        String after = session(index2, forwarded2, verified2, "after");
        call("PUT", path, before);

        var put = call("PUT", path, after);

        assertThat(put.raw().body()).isEqualTo("{\"etag\":\"%d\",\"count\":1}".formatted(better ? 2 : 1));
        assertThat(call("GET", path, null).json()).isEqualTo(JSON.readTree(better ? after : before));
    }

    @Test
    void onlyTheBackupInUseTakesKeys() {
        String old = create("a");
        String path = KEYS + "/" + ROOM + "/s?version=" + old;
        call("PUT", path, session(1, 1, true, "x"));
        create("b");

        var refused = call("PUT", path, session(0, 0, true, "y"));

        assertThat(refused.refusal()).isEqualTo("403 M_WRONG_ROOM_KEYS_VERSION");
        assertThat(refused.text("current_version")).isEqualTo("2");
        assertThat(call("GET", path, null).status()).isEqualTo(200);
        assertThat(call("PUT", KEYS + "?version=7", "{\"rooms\":{}}").refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void keysAreDeletedAllOfARoomOrOne() {
        String version = "?version=" + create("a");
        String one = session(1, 1, true, "x");
        call("PUT", KEYS + version, """
                {"rooms":{"%s":{"sessions":{"a":%s,"b":%s,"c":%s}},"%s":{"sessions":{"d":%s}}}}
                """.formatted(ROOM, one, one, one, OTHER, one));

        assertThat(call("DELETE", KEYS + "/" + ROOM + "/a" + version, null)
                        .raw()
                        .body())
                .isEqualTo("{\"etag\":\"2\",\"count\":3}");
        assertThat(call("DELETE", KEYS + "/" + ROOM + "/a" + version, null)
                        .raw()
                        .body())
                .isEqualTo("{\"etag\":\"2\",\"count\":3}");
        assertThat(call("DELETE", KEYS + "/" + ROOM + version, null).raw().body())
                .isEqualTo("{\"etag\":\"3\",\"count\":1}");
        assertThat(call("DELETE", KEYS + version, null).raw().body()).isEqualTo("{\"etag\":\"4\",\"count\":0}");
    }

    @Test
    void largeBackupComesInPages() {
        String version = "?version=" + create("a");
        for (int page = 0; page < 2; page++) {
            var rooms = JSON.createObjectNode();
            for (int i = 0; i < 600; i++) {
                rooms.withObjectProperty(i % 2 == 0 ? ROOM : OTHER)
                        .withObjectProperty("sessions")
                        .set("s%d-%d".formatted(page, i), JSON.readTree(session(i, 0, true, "x")));
            }
            assertThat(call("PUT", KEYS + version, "{\"rooms\":%s}".formatted(rooms))
                            .status())
                    .isEqualTo(200);
        }

        var all = call("GET", KEYS + version, null).json().path("rooms");

        assertThat(all.propertyNames()).containsExactlyInAnyOrder(ROOM, OTHER);
        assertThat(all.path(ROOM).path("sessions").size()).isEqualTo(600);
        assertThat(all.path(OTHER).path("sessions").size()).isEqualTo(600);
        assertThat(call("GET", KEYS + "/" + ROOM + version, null)
                        .json()
                        .path("sessions")
                        .size())
                .isEqualTo(600);
    }

    @Test
    void backupsMadeAtTheSameTimeHaveDifferentNumbers() throws Exception {
        try (var threads = Executors.newFixedThreadPool(8)) {
            var creations = new ArrayList<Callable<String>>();
            for (int i = 0; i < 8; i++) {
                creations.add(() -> create("a"));
            }
            var numbers = new ArrayList<String>();
            for (var number : threads.invokeAll(creations)) {
                numbers.add(number.get());
            }
            assertThat(numbers).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6", "7", "8");
        }
    }

    @Test
    void nobodyElseSeesABackup() {
        String version = "?version=" + create("a");
        call("PUT", KEYS + "/" + ROOM + "/s" + version, session(1, 1, true, "x"));
        for (var tenant : List.of(ALPHA, BETA)) {
            String token = server.tokenOfNewUser(tenant, AuthServer.name());
            assertThat(server.call(tenant, token, "GET", KEYS + version, null).refusal())
                    .isEqualTo("404 M_NOT_FOUND");
            assertThat(server.call(tenant, token, "GET", VERSION, null).refusal())
                    .isEqualTo("404 M_NOT_FOUND");
        }
        assertThat(server.call(ALPHA, "GET", VERSION, null).refusal()).isEqualTo("401 M_MISSING_TOKEN");
    }

    @Test
    void accountThatEndsHasNoBackup() {
        String version = "?version=" + create("a");
        call("PUT", KEYS + "/" + ROOM + "/s" + version, session(1, 1, true, "x"));

        server.withPassword(ALPHA, ada, "POST", "/_api/client/v3/account/deactivate", "{}");

        for (String table : List.of("key_backup", "key_backup_session")) {
            assertThat(server.count(
                            "SELECT count(*) FROM auth.%s WHERE user_id = '%s'".formatted(table, ada.text("user_id"))))
                    .isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            POST | /version        | {}                                              | 400 M_MISSING_PARAM
            POST | /version        | {"algorithm":7,"auth_data":{}}                  | 400 M_BAD_JSON
            POST | /version        | {"algorithm":"a"}                               | 400 M_MISSING_PARAM
            POST | /version        | {"algorithm":"a","auth_data":"x"}               | 400 M_BAD_JSON
            POST | /version        | {"algorithm":"\\u0000","auth_data":{}}          | 400 M_INVALID_PARAM
            POST | /version        | {"algorithm":"a","auth_data":{"x":1.5}}         | 400 M_BAD_JSON
            PUT  | /version/1      | {"algorithm":"b","auth_data":{}}                | 400 M_INVALID_PARAM
            PUT  | /version/1      | {"algorithm":"b","auth_data":{},"version":"2"}  | 400 M_INVALID_PARAM
            PUT  | /version/9      | {"algorithm":"b","auth_data":{}}                | 404 M_NOT_FOUND
            PUT  | /keys?version=1 | {}                                              | 400 M_MISSING_PARAM
            PUT  | /keys?version=1 | {"rooms":7}                                     | 400 M_BAD_JSON
            PUT  | /keys?version=1 | {"rooms":{"x":{"sessions":{}}}}                 | 400 M_INVALID_PARAM
            PUT  | /keys?version=1 | {"rooms":{"ROOM":7}}                            | 400 M_BAD_JSON
            PUT  | /keys?version=1 | {"rooms":{"ROOM":{}}}                           | 400 M_MISSING_PARAM
            PUT  | /keys?version=1 | {"rooms":{"ROOM":{"sessions":{"s":7}}}}         | 400 M_BAD_JSON
            PUT  | /keys?version=1 | {"rooms":{"ROOM":{"sessions":{"\\u0000":{}}}}}  | 400 M_INVALID_PARAM
            PUT  | /keys/ROOM/s?version=1 | {}                                       | 400 M_MISSING_PARAM
            PUT  | /keys/ROOM/s?version=1 | {"session_data":{},"first_message_index":-1,"forwarded_count":0,"is_verified":true} | 400 M_INVALID_PARAM
            PUT  | /keys/ROOM/s?version=1 | {"session_data":{},"first_message_index":1.5,"forwarded_count":0,"is_verified":true} | 400 M_BAD_JSON
            PUT  | /keys/ROOM/s?version=1 | {"session_data":{},"first_message_index":1,"forwarded_count":0,"is_verified":1} | 400 M_BAD_JSON
            GET  | /keys/x?version=1      |                                          | 400 M_INVALID_PARAM
            GET  | /keys/ROOM/%00?version=1 |                                        | 400 M_INVALID_PARAM
            """)
    void badRequestsAreRefused(String method, String path, @Nullable String body, String refusal) {
        create("a");
        assertThat(call(
                                method,
                                "/_api/client/v3/room_keys" + path.replace("ROOM", ROOM),
                                body == null ? null : body.replace("ROOM", ROOM))
                        .refusal())
                .isEqualTo(refusal);
    }

    @Test
    void tooMuchIsRefused() {
        String version = "?version=" + create("a");
        assertThat(call("PUT", KEYS + "/" + ROOM + "/s" + version, session(1, 1, true, "x".repeat(17_000)))
                        .refusal())
                .isEqualTo("413 M_TOO_LARGE");
        assertThat(call("POST", VERSION, BACKUP.formatted("x".repeat(40_000))).refusal())
                .isEqualTo("413 M_TOO_LARGE");
        assertThat(call("PUT", KEYS + "/" + ROOM + "/" + "s".repeat(256) + version, session(1, 1, true, "x"))
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
        for (int i = 1; i < 100; i++) {
            create("a");
        }
        assertThat(call("POST", VERSION, BACKUP.formatted("a")).refusal()).isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void allBackupsOfAUserTakeNoMoreThanTheQuota() throws Exception {
        var strict = AuthServer.sharedStrict();
        String token = ada.text("access_token");
        create("a");
        String version = "?version=" + create("b");
        try (var threads = Executors.newFixedThreadPool(8)) {
            var puts = new ArrayList<Callable<String>>();
            for (int i = 0; i < 8; i++) {
                String body = "{\"rooms\":{\"%s\":{\"sessions\":{%s}}}}".formatted(ROOM, sessions(i, 30));
                puts.add(() ->
                        strict.call(ALPHA, token, "PUT", KEYS + version, body).refusal());
            }
            var answers = new ArrayList<String>();
            for (var answer : threads.invokeAll(puts)) {
                answers.add(answer.get());
            }
            assertThat(answers)
                    .as("300 kB each, and one megabyte for all")
                    .containsOnly("200 ", "403 M_RESOURCE_LIMIT_EXCEEDED")
                    .filteredOn("200 "::equals)
                    .hasSize(3);
        }
        assertThat(server.count("SELECT bytes::int FROM auth.key_backup WHERE version = 2 AND user_id = '%s'"
                        .formatted(ada.text("user_id"))))
                .isEqualTo(server.count(
                        "SELECT sum(octet_length(session_data))::int FROM auth.key_backup_session WHERE user_id = '%s'"
                                .formatted(ada.text("user_id"))));

        assertThat(strict.call(ALPHA, token, "DELETE", KEYS + version, null).status())
                .isEqualTo(200);
        assertThat(strict.call(ALPHA, token, "PUT", KEYS + "/" + ROOM + "/s" + version, session(1, 1, true, "x"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void backupOfLargeSessionsComesWhole() {
        String version = "?version=" + create("a");
        for (int part = 0; part < 3; part++) {
            call("PUT", KEYS + "/" + ROOM + version, "{\"sessions\":{%s}}".formatted(sessions(part, 60)));
        }
        assertThat(call("GET", KEYS + version, null)
                        .json()
                        .path("rooms")
                        .path(ROOM)
                        .path("sessions")
                        .size())
                .as("of 1.8 MB, in pages of 256 KiB")
                .isEqualTo(180);
    }

    /** Sessions of 10 kB each. */
    private static String sessions(int part, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> "\"s%d-%d\":%s".formatted(part, i, session(i, 0, true, "x".repeat(10_000))))
                .collect(Collectors.joining(","));
    }

    private String create(String key) {
        return call("POST", VERSION, BACKUP.formatted(key)).text("version");
    }

    private static String session(int index, int forwarded, boolean verified, String data) {
        return """
                {"first_message_index":%d,"forwarded_count":%d,"is_verified":%b,"session_data":{"ciphertext":"%s"}}""".formatted(index, forwarded, verified, data);
    }

    private Answer call(String method, String path, @Nullable String body) {
        return server.call(ALPHA, ada.text("access_token"), method, path, body);
    }
}
