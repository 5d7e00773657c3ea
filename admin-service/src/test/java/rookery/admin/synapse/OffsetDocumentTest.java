// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Flux;
import rookery.model.error.ApiException;

class OffsetDocumentTest {
    private static final OffsetDocument USERS =
            new OffsetDocument("users", "total", "next_token", null, true, item -> item);
    private static final OffsetDocument ROOMS =
            new OffsetDocument("rooms", "total_rooms", "next_batch", "prev_batch", false, item -> item);

    private static MultiValueMap<String, String> query(String text) {
        return new LinkedMultiValueMap<>(
                UriComponentsBuilder.fromUriString("?" + text).build().getQueryParams());
    }

    private static String text(OffsetDocument shape, String query, String... lines) {
        return String.join(
                "", shape.of(OffsetQuery.of(query(query)), Flux.just(lines)).toIterable());
    }

    @Test
    void theNextPageBeginsBehindTheItemsOfThisOne() {
        assertThat(text(
                        USERS,
                        "from=20&limit=2",
                        "{\"total\":50}",
                        "{\"a\":1}",
                        "{\"a\":2}",
                        "{\"end\":2,\"next\":\"x\"}"))
                .isEqualTo("{\"total\":50,\"users\":[{\"a\":1},{\"a\":2}],\"next_token\":\"22\"}");
        assertThat(text(USERS, "", "{\"total\":0}", "{\"end\":0,\"next\":null}"))
                .isEqualTo("{\"total\":0,\"users\":[]}");
        assertThat(text(ROOMS, "from=1&limit=5", "{\"total\":9}", "{\"a\":1}", "{\"end\":1,\"next\":\"x\"}"))
                .isEqualTo("{\"total_rooms\":9,\"rooms\":[{\"a\":1}],\"next_batch\":2,\"offset\":1,\"prev_batch\":0}");
    }

    @Test
    void aListThatIsCutOffIsNoDocument() {
        assertThatThrownBy(() -> text(USERS, "", "{\"total\":2}", "{\"a\":1}", "{\"end\":2,\"next\":null}"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aGreatLimitIsReduced() {
        assertThat(OffsetQuery.of(query("limit=2000000")).limit()).isEqualTo(1_000);
        assertThat(OffsetQuery.of(query("")).limit()).isEqualTo(100);
        assertThat(OffsetQuery.of(query("name=&user_id=ada"), "name", "user_id").search())
                .isEqualTo("ada");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"from=-1", "from=x", "from=1000001", "from=99999999999", "limit=0", "limit=-5", "limit=1e3"})
    void numbersBeyondTheBoundsAreRefused(String text) {
        assertThatThrownBy(() -> OffsetQuery.of(query(text))).isInstanceOf(ApiException.class);
    }
}
