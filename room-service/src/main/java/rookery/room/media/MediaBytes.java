// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** The metric {@code media_bytes_total{direction}}: bytes of files uploaded and downloaded (contract.md 4). */
@Component
public class MediaBytes {
    private final Counter in;
    private final Counter out;

    MediaBytes(MeterRegistry meters) {
        this.in = counter(meters, "in");
        this.out = counter(meters, "out");
    }

    private static Counter counter(MeterRegistry meters, String direction) {
        return Counter.builder("media_bytes")
                .description("bytes of files that were uploaded (in) and downloaded (out), thumbnails included")
                .tag("direction", direction)
                .register(meters);
    }

    void uploaded(long bytes) {
        in.increment((double) bytes);
    }

    public void downloaded(long bytes) {
        out.increment((double) bytes);
    }
}
