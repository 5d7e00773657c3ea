package rookery.platform.disk;

import io.r2dbc.spi.R2dbcException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/**
 * Whether PostgreSQL has refused to write for want of space, on a disk that this process does not see. PostgreSQL
 * still answers reads then, so that {@code SELECT 1} finds nothing wrong.
 */
@Component
public final class FullDatabase {
    private static final String DISK_FULL = "53100";

    /** After the last refusal: clients that were told to come back have come back by then. */
    private static final Duration REMEMBERED = Duration.ofSeconds(30);

    private final Clock clock;
    private final AtomicLong refusedAt = new AtomicLong(Long.MIN_VALUE);

    FullDatabase(Clock clock) {
        this.clock = clock;
    }

    /** Whether the failure says that a disk is full. */
    public static boolean isNamedBy(Throwable failure) {
        return failure instanceof R2dbcException e && DISK_FULL.equals(e.getSqlState());
    }

    /** PostgreSQL has refused just now. */
    public void refused() {
        refusedAt.set(clock.millis());
    }

    boolean isFull() {
        return refusedAt.get() > clock.millis() - REMEMBERED.toMillis();
    }
}
