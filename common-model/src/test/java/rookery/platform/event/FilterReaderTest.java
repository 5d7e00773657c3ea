// SPDX-License-Identifier: Apache-2.0
package rookery.platform.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.filter.EventFilter;
import rookery.model.filter.SyncFilter;
import rookery.platform.http.JsonBody;
import rookery.platform.json.StrictJson;

/** contract.md 10.6. */
class FilterReaderTest {
    @Test
    void anEmptyFilterLetsEverythingPass() {
        assertThat(read("{}")).isEqualTo(SyncFilter.ALL);
        assertThat(read("{\"room\":null,\"presence\":{},\"event_fields\":null}"))
                .isEqualTo(SyncFilter.ALL);
    }

    @Test
    void everyMemberIsRead() {
        var room = read("{\"room\":{\"rooms\":[\"!a\"],\"not_rooms\":[\"!b\"],\"include_leave\":true,"
                        + "\"timeline\":{\"limit\":3,\"types\":[\"t\"],\"not_types\":[\"nt\"],\"senders\":[\"@s\"],"
                        + "\"not_senders\":[\"@ns\"],\"rooms\":[\"!r\"],\"not_rooms\":[\"!nr\"],\"contains_url\":false,"
                        + "\"lazy_load_members\":true,\"include_redundant_members\":true,"
                        + "\"unread_thread_notifications\":true}}}")
                .room();
        assertThat(room.rooms()).containsExactly("!a");
        assertThat(room.notRooms()).containsExactly("!b");
        assertThat(room.includeLeave()).isTrue();
        assertThat(room.timeline())
                .isEqualTo(new EventFilter(
                        3,
                        List.of("t"),
                        List.of("nt"),
                        List.of("@s"),
                        List.of("@ns"),
                        List.of("!r"),
                        List.of("!nr"),
                        false,
                        true,
                        true,
                        true));
    }

    @Test
    void anEmptyListIsNotAnAbsentOne() {
        assertThat(read("{\"presence\":{\"types\":[]}}").presence().types()).isEmpty();
        assertThat(read("{\"presence\":{}}").presence().types()).isNull();
    }

    @Test
    void outsideRoomsMembersThatSpeakOfRoomsAreUnknownOnes() {
        var filter = read("{\"presence\":{\"contains_url\":true,\"rooms\":5,\"lazy_load_members\":\"x\"},"
                + "\"account_data\":{\"not_rooms\":{}}}");
        assertThat(filter).isEqualTo(SyncFilter.ALL);
    }

    @Test
    void aLimitBeyondIntegersIsAVeryLargeOne() {
        assertThat(read("{\"room\":{\"timeline\":{\"limit\":9007199254740991}}}")
                        .room()
                        .timelineLimit())
                .isEqualTo(100);
        assertThat(read("{\"room\":{\"timeline\":{\"limit\":-9007199254740991}}}")
                        .room()
                        .timelineLimit())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"event_fields\":\"type\"}",
                "{\"event_fields\":[1]}",
                "{\"event_format\":1}",
                "{\"event_format\":\"xml\"}",
                "{\"presence\":[]}",
                "{\"presence\":{\"types\":\"m.presence\"}}",
                "{\"account_data\":false}",
                "{\"account_data\":{\"senders\":[null]}}",
                "{\"room\":1}",
                "{\"room\":[]}",
                "{\"room\":{\"rooms\":\"!a:s\"}}",
                "{\"room\":{\"not_rooms\":{}}}",
                "{\"room\":{\"include_leave\":\"true\"}}",
                "{\"room\":{\"include_leave\":1}}",
                "{\"room\":{\"state\":7}}",
                "{\"room\":{\"timeline\":\"all\"}}",
                "{\"room\":{\"ephemeral\":[]}}",
                "{\"room\":{\"account_data\":true}}",
                "{\"room\":{\"timeline\":{\"limit\":\"10\"}}}",
                "{\"room\":{\"timeline\":{\"limit\":1.5}}}",
                "{\"room\":{\"timeline\":{\"limit\":1e400}}}",
                "{\"room\":{\"timeline\":{\"limit\":99999999999999999999}}}",
                "{\"room\":{\"timeline\":{\"types\":[1]}}}",
                "{\"room\":{\"timeline\":{\"not_types\":\"m\"}}}",
                "{\"room\":{\"timeline\":{\"senders\":[[]]}}}",
                "{\"room\":{\"timeline\":{\"not_senders\":{}}}}",
                "{\"room\":{\"timeline\":{\"rooms\":true}}}",
                "{\"room\":{\"timeline\":{\"not_rooms\":[{}]}}}",
                "{\"room\":{\"timeline\":{\"contains_url\":\"no\"}}}",
                "{\"room\":{\"state\":{\"lazy_load_members\":1}}}",
                "{\"room\":{\"state\":{\"include_redundant_members\":\"\"}}}",
                "{\"room\":{\"timeline\":{\"unread_thread_notifications\":[]}}}",
                "{\"room\":{\"timeline\":{\"types\":[\"\\ud800\"]}}}"
            })
    void aWrongTypeIsBadJson(String json) {
        assertBad(json);
    }

    @Test
    void aListHasAtMostAThousandEntries() {
        var most = String.join(",", Collections.nCopies(1000, "\"!x\""));
        assertThat(read("{\"room\":{\"rooms\":[" + most + "]}}").room().rooms()).hasSize(1000);
        for (var filter : List.of(
                "{\"event_fields\":[%s,\"y\"]}",
                "{\"room\":{\"rooms\":[%s,\"y\"]}}", "{\"room\":{\"state\":{\"not_senders\":[%s,\"y\"]}}}")) {
            assertBad(filter.formatted(most));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"room\":{\"rooms\":[\"tea\"]}}",
                "{\"room\":{\"not_rooms\":[\"#tea:s\"]}}",
                "{\"room\":{\"timeline\":{\"rooms\":[\"\"]}}}",
                "{\"room\":{\"state\":{\"senders\":[\"ada\"]}}}",
                "{\"presence\":{\"not_senders\":[\"!ada:s\"]}}"
            })
    void whatIsNoIdIsRefused(String json) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOfSatisfying(
                        ApiException.class, refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_INVALID_PARAM));
    }

    private static void assertBad(String json) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOfSatisfying(
                        ApiException.class, refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_BAD_JSON));
    }

    private static SyncFilter read(String json) {
        return FilterReader.sync(new JsonBody(StrictJson.object(json)));
    }
}
