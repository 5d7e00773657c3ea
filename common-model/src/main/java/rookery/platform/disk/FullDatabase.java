// SPDX-License-Identifier: Apache-2.0
package rookery.platform.disk;

import io.r2dbc.spi.R2dbcException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/**
 * Whether PostgreSQL has refused a write because its disk is full, a disk that this process may not see. PostgreSQL answers reads
 * meanwhile, so {@code SELECT 1} finds no fault.
 */
@Component
public final class FullDatabase {
    private static final String DISK_FULL = "53100";

    /** After the last refusal; longer than the time after which clients retry. */
    private static final Duration REMEMBERED = Duration.ofSeconds(30);

    private final Clock clock;
    private final AtomicLong refusedAt = new AtomicLong(Long.MIN_VALUE);

    FullDatabase(Clock clock) {
        this.clock = clock;
    }

    /** Whether the failure is PostgreSQL's error for a full disk. */
    public static boolean isNamedBy(Throwable failure) {
        return failure instanceof R2dbcException e && DISK_FULL.equals(e.getSqlState());
    }

    /** Notes that PostgreSQL has just refused a write. */
    public void refused() {
        refusedAt.set(clock.millis());
    }

    boolean isFull() {
        return refusedAt.get() > clock.millis() - REMEMBERED.toMillis();
    }
}
