// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Defaults and limits of the settings. */
class PreviewPropertiesTest {
    private static final String PREFIX = "rookery.room.media.preview";

    static PreviewProperties bound(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate(PREFIX, PreviewProperties.class);
    }

    @Test
    void previewsAreOffUnlessSwitchedOn() {
        assertThat(bound(Map.of()).enabled()).isFalse();
        assertThat(bound(Map.of(PREFIX + ".enabled", "true")).enabled()).isTrue();
        assertThat(bound(Map.of()).allowPrivate()).isFalse();
        assertThat(bound(Map.of()).ports()).containsExactlyInAnyOrder(80, 443);
    }

    @ParameterizedTest
    @CsvSource({
        "a.example,        true",
        "a.example.,       true",
        "b.a.example,      false",
        "c.internal,       true",
        "b.c.internal,     true",
        "internal,         false",
        "xinternal,        false",
        "metrics7.example, true",
    })
    void hostsMayBeDenied(String host, boolean isDenied) {
        var properties = bound(Map.of(
                PREFIX + ".denied-hosts[0]", "A.example",
                PREFIX + ".denied-hosts[1]", "*.internal",
                PREFIX + ".denied-hosts[2]", "metrics*.example"));
        assertThat(properties.isDenied(host)).isEqualTo(isDenied);
    }

    @ParameterizedTest
    @CsvSource({"page-max, 0", "page-max, 9MB", "picture-max, 501MB", "timeout, 13s", "timeout, 0s", "at-once, 0"})
    void valuesThatMakeNoSenseAreRefused(String key, String value) {
        assertThatThrownBy(() -> bound(Map.of(PREFIX + "." + key, value)))
                .rootCause()
                .hasMessageStartingWith(PREFIX + "." + key);
    }
}
