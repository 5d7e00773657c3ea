package rookery.gateway.entrance;

import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Assigns request ids: the client's X-Request-Id if well-formed, otherwise a process id and a number. */
@Component
class RequestIds {
    static final String HEADER = "X-Request-Id";

    private static final int CHARS_MAX = 64;

    private final String process;
    private final AtomicLong last = new AtomicLong();

    RequestIds(RandomGenerator random) {
        process = HexFormat.of().toHexDigits(random.nextInt());
    }

    String of(@Nullable String sent) {
        return sent != null && isSane(sent) ? sent : process + "-" + Long.toHexString(last.incrementAndGet());
    }

    private static boolean isSane(String id) {
        if (id.isEmpty() || id.length() > CHARS_MAX) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "._-".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }
}
