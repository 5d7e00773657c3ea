// SPDX-License-Identifier: Apache-2.0
package rookery.platform.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.util.internal.PlatformDependent;
import org.springframework.stereotype.Component;

/**
 * Netty's direct memory for buffers and its maximum: {@code jvm_netty_direct_bytes} and {@code jvm_netty_direct_max_bytes}. Pools
 * keep memory of unused buffers; both gauges count the whole JVM.
 */
@Component
public final class NettyMemoryMeters implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry meters) {
        Gauge.builder("jvm_netty_direct", PlatformDependent::usedDirectMemory)
                .description("direct memory that Netty has taken for buffers, in use or kept in its pools")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder("jvm_netty_direct_max", PlatformDependent::maxDirectMemory)
                .description("direct memory beyond which Netty refuses a buffer")
                .baseUnit("bytes")
                .register(meters);
    }
}
