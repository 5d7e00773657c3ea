// SPDX-License-Identifier: Apache-2.0
package rookery.auth.sms;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SmsBodyTest {
    @Test
    void valuesAreTextWhateverIsInThem() {
        var body = new SmsBody("{\"a\":[\"to {to}\",7,null],\"b\":{\"c\":\"{text}{text}\"},\"{to}\":true}");

        assertThat(new String(body.filled("+1", "\"},\\ \n"), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":[\"to +1\",7,null],\"b\":{\"c\":\"\\\"},\\\\ \\n\\\"},\\\\ \\n\"},\"{to}\":true}");
    }
}
