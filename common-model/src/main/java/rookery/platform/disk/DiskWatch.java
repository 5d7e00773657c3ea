// SPDX-License-Identifier: Apache-2.0
package rookery.platform.disk;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * Watches the disks of a service, on its own thread because a network disk may block: {@code disk_free_ratio} by disk. A disk
 * with unknown free space counts as a disk with enough space; other checks find out whether writes fail.
 */
@Component
public final class DiskWatch implements MeterBinder, DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(DiskWatch.class);
    private static final int RETRY_AFTER_S = 60;
    private static final int INSUFFICIENT_STORAGE = 507;

    private final List<WatchedFolder> folders;
    private final DiskProperties properties;
    private final FreeSpace space;
    private final FullDatabase database;
    private final Map<String, Double> free = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("disk-watch").factory());

    DiskWatch(DiskProperties properties, ObjectProvider<WatchedFolder> own, FreeSpace space, FullDatabase database) {
        this.folders = new ArrayList<>(own.stream().toList());
        properties.folders().forEach((disk, folder) -> folders.add(new WatchedFolder(disk, Path.of(folder), true)));
        this.properties = properties;
        this.space = space;
        this.database = database;
        look();
        long millis = properties.interval().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
    }

    private void look() {
        folders.forEach(this::look);
    }

    private void look(WatchedFolder folder) {
        double share = share(folder);
        var before = state(folder);
        free.put(folder.disk(), share);
        var now = state(folder);
        if (now != before) {
            log.atWarn()
                    .addKeyValue("disk", folder.disk())
                    .addKeyValue("folder", folder.folder())
                    .addKeyValue("free", share)
                    .addKeyValue("state", now)
                    .log("the state of a disk has changed; rookery.disk.uploads-below and writes-below set the limits");
        }
    }

    private double share(WatchedFolder folder) {
        try {
            return space.share(folder.folder());
        } catch (IOException | RuntimeException e) {
            log.atDebug()
                    .addKeyValue("disk", folder.disk())
                    .addKeyValue("cause", String.valueOf(e))
                    .log("the free space of a disk cannot be read");
            return Double.NaN;
        }
    }

    private DiskState state(WatchedFolder folder) {
        return DiskState.of(free.getOrDefault(folder.disk(), Double.NaN), properties);
    }

    /** 507 while a disk has less free space than uploads need. */
    public void requireRoomForUploads() {
        if (!hasRoomForUploads()) {
            throw new ApiException(
                            ErrorCode.M_UNKNOWN,
                            "the server's disk is almost full: files cannot be uploaded until its operator makes room")
                    .withStatus(INSUFFICIENT_STORAGE);
        }
    }

    /** Whether all disks have enough free space for uploads. */
    public boolean hasRoomForUploads() {
        return folders.stream().allMatch(folder -> state(folder) == DiskState.ENOUGH);
    }

    /** Whether a disk with tables is too full for any write. */
    boolean isFull() {
        return folders.stream().anyMatch(folder -> folder.holdsTables() && state(folder) == DiskState.FULL);
    }

    /** 503 with the reason, and a Retry-After. */
    public static ApiException full() {
        return ApiException.unavailable(
                        "the server's disk is full: nothing can be written until its operator makes room")
                .withRetryAfter(RETRY_AFTER_S);
    }

    /** The states of the disks for {@code health/ready}, by the name of the check. */
    public Map<String, String> checks() {
        var checks = new TreeMap<String, String>();
        folders.forEach(folder -> checks.put("disk_" + folder.disk(), state(folder).text));
        if (database.isFull()) {
            checks.put("database", DiskState.LOW.text);
        }
        return checks;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        for (var folder : folders) {
            Gauge.builder("disk_free_ratio", () -> free.getOrDefault(folder.disk(), Double.NaN))
                    .description("share of a disk that is free, by the disk's name in the configuration")
                    .tag("disk", folder.disk())
                    .register(meters);
        }
    }

    @Override
    public void destroy() {
        thread.shutdownNow();
    }
}
