// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class KeyPathTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "type|type",
                "content.body|content,body",
                "content.m\\.relates_to.rel_type|content,m.relates_to,rel_type",
                "a\\\\.b|a\\,b",
                "a\\\\\\.b|a\\.b",
                "a\\xb|a\\xb",
                "a\\|a\\",
                "a..b|a,,b",
                ".|,",
                "``|``",
            })
    void dotsDivideUnlessTheyAreEscaped(String key, String names) {
        assertThat(KeyPath.of(key).names()).isEqualTo(List.of(names.split(",", -1)));
    }

    @Test
    void onlyObjectsHaveFields() {
        var event = JSON.readTree("{\"a\":{\"b.c\":1,\"\":2},\"list\":[{\"a\":1}],\"text\":\"x\",\"nothing\":null}");
        assertThat(KeyPath.of("a.b\\.c").in(event)).isEqualTo(JSON.readTree("1"));
        assertThat(KeyPath.of("a.").in(event)).isEqualTo(JSON.readTree("2"));
        assertThat(KeyPath.of("nothing").in(event)).isEqualTo(JSON.readTree("null"));
        for (var key : List.of("a.b.c", "list.0", "list.0.a", "list.a", "text.length", "nothing.more", "b", "")) {
            assertThat(KeyPath.of(key).in(event)).as(key).isNull();
        }
    }
}
