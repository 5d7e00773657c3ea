// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Assigns request ids: the client's X-Request-Id if well-formed, otherwise a process id and a number. */
@Component
class RequestIds {
    static final String HEADER = "X-Request-Id";

    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private final String process;
    private final AtomicLong last = new AtomicLong();

    RequestIds(RandomGenerator random) {
        process = HexFormat.of().toHexDigits(random.nextInt());
    }

    String of(@Nullable String sent) {
        return sent != null && WELL_FORMED.matcher(sent).matches()
                ? sent
                : process + "-" + Long.toHexString(last.incrementAndGet());
    }
}
