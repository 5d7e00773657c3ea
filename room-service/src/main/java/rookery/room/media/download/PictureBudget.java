package rookery.room.media.download;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.util.unit.DataSize;
import rookery.model.error.ApiException;

/** How much memory all pictures may take together that are being decoded, on the heap and beside it; each waits until there is enough. */
class PictureBudget {
    private static final int UNIT = 1 << 10;

    private final int units;
    private final Duration patience;
    private final Semaphore free;

    /** @param patience how long a picture waits at most */
    PictureBudget(DataSize all, Duration patience) {
        this.units = Math.toIntExact(all.toBytes() / UNIT);
        this.patience = patience;
        this.free = new Semaphore(units, true);
    }

    /** Gives back what was taken. */
    interface Share extends AutoCloseable {
        @Override
        void close();
    }

    /** Whether a picture may take so much at all. */
    boolean covers(long bytes) {
        return bytes / UNIT < units;
    }

    /** Blocks until so much is free; 503 if that takes too long, or somebody interrupts it. */
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
