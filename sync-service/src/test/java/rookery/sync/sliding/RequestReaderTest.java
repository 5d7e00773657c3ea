// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.util.LinkedMultiValueMap;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import rookery.platform.json.StrictJson;

/** contract.md 10.9: the limits of a request. */
class RequestReaderTest {
    private static SlidingRequest read(String json) {
        return RequestReader.read(
                false, new LinkedMultiValueMap<>(), new JsonBody(StrictJson.object(json)), "@ada:alpha.test");
    }

    private static String joined(int number, IntFunction<String> part) {
        return IntStream.range(0, number).mapToObj(part).collect(Collectors.joining(","));
    }

    /** A state with 20 patterns. */
    private static String state(int number) {
        return "{\"include\": [%s]}".formatted(joined(20, i -> "{\"type\": \"t%d.%d\"}".formatted(number, i)));
    }

    private static String list(int number, String filters) {
        return "\"list%d\": {\"timeline_limit\": 1, \"required_state\": %s, \"filters\": %s}"
                .formatted(number, state(number), filters);
    }

    @Test
    void theDifferentPatternsOfARequestAreLimitedInSum() {
        assertThat(read("{\"lists\": {%s}}".formatted(joined(50, i -> list(i, "{}"))))
                        .lists())
                .hasSize(50);
        refused("{\"lists\": {%s}}".formatted(joined(51, i -> list(i, "{}"))));
    }

    @Test
    void equalStatesCountOnceAndAreOneObject() {
        var subscriptions = joined(
                100,
                i -> "\"!room%d:alpha.test\": {\"timeline_limit\": %d, \"required_state\": %s}"
                        .formatted(i, i, state(0)));
        var request = read("{\"room_subscriptions\": {%s}}".formatted(subscriptions));
        assertThat(request.subscriptions()).hasSize(100);
        Set<Integer> objects = request.subscriptions().values().stream()
                .flatMap(config -> config.states().stream())
                .map(System::identityHashCode)
                .collect(Collectors.toSet());
        assertThat(objects).hasSize(1);
    }

    @Test
    void theNamesInTheFiltersOfAllListsAreLimitedInSum() {
        var tags = "{\"tags\": [%s]}".formatted(joined(500, i -> "\"u." + i + "\""));
        assertThat(read("{\"lists\": {%s}}".formatted(joined(2, i -> list(i, tags))))
                        .lists())
                .hasSize(2);
        refused("{\"lists\": {%s}}".formatted(joined(3, i -> list(i, tags))));
    }

    private static void refused(String json) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> read(json))
                .satisfies(refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_INVALID_PARAM));
    }
}
