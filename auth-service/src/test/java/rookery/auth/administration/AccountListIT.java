// SPDX-License-Identifier: Apache-2.0
package rookery.auth.administration;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The list of accounts for administrators, in a database of its own. */
class AccountListIT {
    private static final int ACCOUNTS = 40;
    private static final AuthServer SERVER = AuthServer.with();

    @BeforeAll
    static void fill() throws SQLException {
        try (var connection = SERVER.database().connect();
                var statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO auth.account (tenant, user_id, created_at)
                    SELECT 1, '@' || substr(md5(i::text), 1, 6) || ':alpha.example',
                           timestamptz '2026-01-01' + (i / 5) * interval '1 ms' + (i %% 5) * interval '3 us'
                      FROM generate_series(1, %d) AS i
                    """.formatted(ACCOUNTS));
            statement.execute("""
                    INSERT INTO auth.account (tenant, user_id, created_at) VALUES
                        (2, '@other:beta.example', now()), (2, '@find.me_y:beta.example', now())
                    """);
            statement.execute("""
                    INSERT INTO auth.profile_field (tenant, user_id, name, value)
                    VALUES (2, '@other:beta.example', 'displayname', '"Alph_ß %x \\\\ tail"')
                    """);
            statement.execute("""
                    INSERT INTO auth.device (tenant, user_id, device_id, created_at, last_seen_at)
                    SELECT a.tenant, a.user_id, 'D' || i, a.created_at,
                           CASE WHEN hashtext(a.user_id) % 3 <> 0 THEN a.created_at + i * interval '1 s' END
                      FROM auth.account a, generate_series(1, 3) AS i
                     WHERE abs(hashtext(a.user_id)) % 4 >= i
                    """);
        }
    }

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @CsvSource({
        "user_id, false", "user_id, true", "created_at, false", "created_at, true",
        "last_seen_ts, false", "last_seen_ts, true", "device_count, false", "device_count, true"
    })
    void pagesOfEachOrderHaveEachAccountOnce(String by, boolean backwards) {
        var all = new ArrayList<JsonNode>();
        var key = "";
        do {
            var lines = page(by, backwards, "\"after\":\"%s\",\"limit\":7".formatted(key));
            assertThat(lines.getFirst().path("total").intValue()).isEqualTo(ACCOUNTS);
            all.addAll(lines.subList(1, lines.size() - 1));
            key = lines.getLast().path("next").asString("");
        } while (!key.isEmpty());

        var order = Comparator.<JsonNode>comparingLong(
                        row -> by.equals("user_id") ? 0 : row.path(by).asLong(0))
                .thenComparing(row -> row.path("user_id").stringValue());
        assertThat(all).hasSize(ACCOUNTS).isSortedAccordingTo(backwards ? order.reversed() : order);
        assertThat(all.stream().map(row -> row.path("user_id").stringValue())).doesNotHaveDuplicates();
        for (int skip : new int[] {1, 13, 39}) {
            var lines = page(by, backwards, "\"after\":\"\",\"limit\":1,\"skip\":" + skip);
            assertThat(lines.get(1)).isEqualTo(all.get(skip));
        }
        assertThat(page(by, backwards, "\"after\":\"\",\"limit\":1,\"skip\":40"))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lph_ß %x    | 2 | 1
            ALPH_SS     | 2 | 0
            alph        | 2 | 1
            LpH_        | 2 | 1
            %           | 2 | 1
            ß           | 2 | 1
            \\         | 2 | 1
            _y          | 2 | 1
            alph%tail   | 2 | 0
            find_me     | 2 | 0
            _x_         | 2 | 0
            find.me     | 2 | 1
            FIND        | 2 | 1
            e           | 2 | 2
            :BETA.exam  | 2 | 2
            find        | 1 | 0
            """)
    void searchFindsPartsOfIdsAndNamesWithoutCase(String search, int tenant, int matches) {
        var text = JsonMapper.shared().writeValueAsString(search);
        for (String order : new String[] {"user_id", "device_count"}) {
            var lines = SERVER.lines("/internal/admin/users", """
                    {"asked":{"tenant":%d,"search":%s},"order":{"by":"%s","backwards":true},"after":"","limit":10}
                    """.formatted(tenant, text, order));
            assertThat(lines.getFirst().path("total").intValue()).isEqualTo(matches);
            assertThat(lines).hasSize(matches + 2);
        }
    }

    @Test
    void unknownOrdersAndKeysAreRefused() {
        assertThat(refusal("{\"by\":\"CREATED_AT\",\"backwards\":false}", "")).isEqualTo("400 M_INVALID_PARAM");
        assertThat(refusal("{\"by\":\"password_hash\",\"backwards\":true}", "")).isEqualTo("400 M_INVALID_PARAM");
        assertThat(refusal("{\"by\":\"created_at\",\"backwards\":true}", "@a:alpha.example"))
                .isEqualTo("400 M_INVALID_PARAM");
    }

    private static String refusal(String order, String after) {
        return SERVER.internal(
                        "POST",
                        "/internal/admin/users",
                        "{\"asked\":{\"tenant\":1},\"order\":%s,\"after\":\"%s\",\"limit\":1}".formatted(order, after))
                .refusal();
    }

    private static List<JsonNode> page(String by, boolean backwards, String more) {
        return SERVER.lines(
                "/internal/admin/users",
                "{\"asked\":{\"tenant\":1},\"order\":{\"by\":\"%s\",\"backwards\":%s},%s}"
                        .formatted(by, backwards, more));
    }
}
