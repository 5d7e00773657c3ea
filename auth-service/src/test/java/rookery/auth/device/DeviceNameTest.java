// SPDX-License-Identifier: Apache-2.0
package rookery.auth.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 | Firefox on Linux",
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0 | Edge on Windows",
                "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36 | Chrome on Android",
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1 | Safari on iPhone",
                "Element/1.6.18 (Pixel 8; Android 14) | Element on Android",
                "mautrix-go/0.19 | mautrix-go",
                "curl/8.5.0 | curl"
            })
    void clientsAreCalledWhatTheySayTheyAre(String userAgent, String expected) {
        assertThat(Objects.requireNonNull(DeviceName.ofUserAgent(userAgent)).value())
                .isEqualTo(expected);
    }

    @Test
    void whoSaysNothingHasNoName() {
        assertThat(DeviceName.ofUserAgent(null)).isNull();
        assertThat(DeviceName.ofUserAgent("")).isNull();
        assertThat(DeviceName.ofUserAgent("\u0000(;")).isNull();
        assertThat(Objects.requireNonNull(DeviceName.ofUserAgent("x".repeat(500)))
                        .value())
                .hasSize(100);
    }
}
