// SPDX-License-Identifier: Apache-2.0
package rookery.platform.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import rookery.platform.log.follow.LogTail;

/** The lag of a service behind the logs from which its tables are derived: {@code log_behind_seconds}. */
@Component
final class LogMeters implements MeterBinder {
    private final ObjectProvider<LogTail> tails;

    LogMeters(ObjectProvider<LogTail> tails) {
        this.tails = tails;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        tails.forEach(tail -> tail.bindTo(meters));
    }
}
