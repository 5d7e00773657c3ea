// SPDX-License-Identifier: Apache-2.0
package rookery.platform.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.http.HttpMethod;
import rookery.model.error.ApiException;

class DiskWatchTest {
    private static final Path PG = Path.of("/pg");
    private static final Path MEDIA = Path.of("/media");
    private static final FullDatabase DATABASE = new FullDatabase(Clock.systemUTC());

    @Test
    void belowTheFirstBoundOnlyUploadsAreRefused() {
        var watch = watch(space(0.099, 0.5), DATABASE);

        assertThatThrownBy(watch::requireRoomForUploads).isInstanceOfSatisfying(ApiException.class, refusal -> {
            assertThat(refusal.status).isEqualTo(507);
            assertThat(refusal.reason).contains("disk");
        });
        assertThat(watch.isFull()).isFalse();
        assertThat(watch.checks()).containsExactly(Map.entry("disk_data", "degraded"), Map.entry("disk_media", "ok"));
    }

    @Test
    void belowTheSecondBoundWritesAreRefusedWhereTheDiskHasTables() {
        var full = watch(space(0.049, 0.5), DATABASE);
        assertThat(full.isFull()).isTrue();
        assertThat(full.checks()).containsEntry("disk_data", "error");

        var media = watch(space(0.5, 0.0), DATABASE);
        assertThat(media.isFull()).isFalse();
        assertThat(media.checks()).containsEntry("disk_media", "error");
        assertThatThrownBy(media::requireRoomForUploads).isInstanceOf(ApiException.class);
    }

    @Test
    void aDiskThatCannotBeAskedRefusesNothing() {
        var watch = watch(
                _ -> {
                    throw new IOException("stale");
                },
                DATABASE);

        assertThatCode(watch::requireRoomForUploads).doesNotThrowAnyException();
        assertThat(watch.isFull()).isFalse();
        assertThat(watch.checks()).containsValues("ok", "ok");
    }

    @Test
    void theFreeShareOfEachDiskIsMeasured() {
        var meters = new SimpleMeterRegistry();
        watch(space(0.25, 0.5), DATABASE).bindTo(meters);

        assertThat(meters.get("disk_free_ratio").tag("disk", "data").gauge().value())
                .isEqualTo(0.25);
        assertThat(meters.get("disk_free_ratio").tag("disk", "media").gauge().value())
                .isEqualTo(0.5);
    }

    @Test
    void aDatabaseThatRefusedForWantOfSpaceIsDegradedForAWhile() {
        var now = Instant.parse("2026-01-01T00:00:00Z");
        var refused = new FullDatabase(Clock.fixed(now, ZoneOffset.UTC));
        var watch = watch(_ -> 0.5, refused);
        assertThat(watch.checks()).doesNotContainKey("database");

        refused.refused();
        assertThat(watch.checks()).containsEntry("database", "degraded");
        assertThat(FullDatabase.isNamedBy(new R2dbcNonTransientResourceException("full", "53100")))
                .isTrue();
        assertThat(FullDatabase.isNamedBy(new R2dbcNonTransientResourceException("memory", "53200")))
                .isFalse();
    }

    @Test
    void boundsThatMakeNoSenseAreRefused() {
        for (double[] bounds : new double[][] {{0.05, 0.1}, {1, 0.1}, {0.1, -1}, {Double.NaN, 0.1}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new DiskProperties(Map.of(), bounds[0], bounds[1], Duration.ofSeconds(2)))
                    .withMessageContaining("rookery.disk");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PUT,    rooms/%21r/send/m.room.message/leave, true",
        "PUT,    rooms/%21r/state/m.room.name,         true",
        "POST,   createRoom,                           true",
        "POST,   register,                             true",
        "POST,   rooms/%21r/receipt/m.read/%24e,       true",
        "PUT,    room_keys/keys,                       true",
        "PUT,    sendToDevice/m.room_key/redact,       true",
        "POST,   login,                                false",
        "POST,   logout,                               false",
        "POST,   rooms/%21r/leave,                     false",
        "PUT,    rooms/%21r/redact/%24e/t,             false",
        "DELETE, room_keys/version/1,                  false",
        "POST,   keys/query,                           false",
        "GET,    sync,                                 false",
        "POST,   admin/rooms/%21r/purge,               false"
    })
    void whatAddsToTheDiskIsToldFromWhatDoesNot(String method, String path, boolean writes) {
        assertThat(DiskFilter.writes(HttpMethod.valueOf(method), "/_api/client/v3/" + path))
                .isEqualTo(writes);
    }

    private static FreeSpace space(double data, double media) {
        return folder -> folder.equals(PG) ? data : media;
    }

    private static DiskWatch watch(FreeSpace space, FullDatabase database) {
        var beans = new StaticListableBeanFactory(Map.of("media", new WatchedFolder("media", MEDIA, false)));
        var properties = new DiskProperties(Map.of("data", PG.toString()), 0.1, 0.05, Duration.ofHours(1));
        return new DiskWatch(properties, beans.getBeanProvider(WatchedFolder.class), space, database);
    }
}
