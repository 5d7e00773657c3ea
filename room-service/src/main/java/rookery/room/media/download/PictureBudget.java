// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.util.unit.DataSize;
import rookery.model.error.ApiException;

/** The memory for decoding pictures, on the heap and beside it, shared by all pictures. A picture waits until enough is free. */
class PictureBudget {
    private static final int UNIT = 1 << 10;

    private final int units;
    private final Duration patience;
    private final Semaphore free;

    /** @param patience the longest wait of a picture */
    PictureBudget(DataSize all, Duration patience) {
        this.units = Math.toIntExact(all.toBytes() / UNIT);
        this.patience = patience;
        this.free = new Semaphore(units, true);
    }

    /** Reserved memory; {@link #close} releases the share. */
    interface Share extends AutoCloseable {
        @Override
        void close();
    }

    /** Whether the whole budget suffices for this many bytes. */
    boolean covers(long bytes) {
        return bytes / UNIT < units;
    }

    /** Blocks until enough memory is free; 503 after the longest wait or an interrupt. */
    Share take(long bytes) {
        int taken = Math.toIntExact(bytes / UNIT + 1);
        try {
            if (free.tryAcquire(taken, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return () -> free.release(taken);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        throw tooMany();
    }

    static ApiException tooMany() {
        return ApiException.unavailable("there are too many thumbnails to make, ask again later");
    }
}
