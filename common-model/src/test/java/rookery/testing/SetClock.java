// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that moves only when the test moves it. */
public final class SetClock extends Clock {
    private final AtomicReference<Instant> now =
            new AtomicReference<>(Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS));

    public void advance(Duration duration) {
        now.updateAndGet(instant -> instant.plus(duration));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
