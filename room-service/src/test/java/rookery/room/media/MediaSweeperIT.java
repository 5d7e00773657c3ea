package rookery.room.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.room.media.MediaFile.Stored;
import rookery.room.media.RoomMediaProperties.Quota;
import rookery.room.media.RoomMediaProperties.Redacted;
import rookery.room.media.RoomMediaProperties.Thumbnail;

/** What is removed of files and reservations, on a real database and with a clock of ours (decision 0016). */
class MediaSweeperIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Instant FUTURE = Instant.parse("2100-01-01T00:00:00Z");
    private static final TenantId TENANT = new TenantId(1);
    private static final UserId ADA = new UserId("@ada:example.org");
    private static final DataSize NONE = DataSize.ofBytes(0);
    private static final RoomMediaProperties PROPERTIES = new RoomMediaProperties(
            "",
            false,
            PATIENCE,
            Duration.ofHours(24),
            10,
            Duration.ofHours(1),
            new Redacted(Duration.ofDays(7), Duration.ofMinutes(1)),
            new Thumbnail(1, 1, 1, PATIENCE, NONE),
            new Quota(NONE, NONE),
            Map.of());

    @TempDir
    private Path folder = Path.of("");

    private final DatabaseClient db = client(TestServers.database("room-service"));
    private final MediaFiles files = new MediaFiles(db);
    private final BlockingCalls disk = new BlockingCalls(Schedulers.newBoundedElastic(2, 100, "test-files"));

    @AfterEach
    void close() {
        disk.close();
    }

    private static DatabaseClient client(Database database) {
        var options = ConnectionFactoryOptions.parse(database.pooledR2dbcUrl())
                .mutate()
                .option(ConnectionFactoryOptions.USER, database.username())
                .option(ConnectionFactoryOptions.PASSWORD, database.password())
                .build();
        return DatabaseClient.create(ConnectionFactories.get(options));
    }

    private static ContentHash put(MediaStore store, String text) {
        var part = DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8));
        return Objects.requireNonNull(store.put(TENANT, Flux.just(part), 100).block(PATIENCE))
                .hash();
    }

    @Test
    void whatNoRowNamesGoesAndWhatOneNamesStays() throws Exception {
        var store = new FolderMediaStore(folder, PATIENCE, disk);
        var file = new Stored(put(store, "a file"), 6, "text/plain", null);
        var thumbnail = new Stored(put(store, "its thumbnail"), 13, "image/png", null);
        var orphan = put(store, "an orphan");
        files.insert(TENANT, new MediaId("f"), ADA, file, 1).block(PATIENCE);
        new Thumbnails(db)
                .insert(TENANT, file.hash(), Dimensions.of(32, 32, true), thumbnail)
                .block(PATIENCE);
        files.reserve(TENANT, new MediaId("ended"), ADA, 1, 2).block(PATIENCE);
        files.reserve(TENANT, new MediaId("later"), ADA, 1, Long.MAX_VALUE).block(PATIENCE);

        new MediaSweeper(store, files, PROPERTIES, Clock.systemUTC()).sweep().block(PATIENCE);
        assertThat(store.find(TENANT, orphan).block(PATIENCE))
                .as("its row may still come")
                .isNotNull();
        new MediaSweeper(store, files, PROPERTIES, Clock.fixed(FUTURE, ZoneOffset.UTC))
                .sweep()
                .block(PATIENCE);

        assertThat(store.find(TENANT, orphan).block(PATIENCE)).isNull();
        assertThat(store.find(TENANT, file.hash()).block(PATIENCE)).hasContent("a file");
        assertThat(store.find(TENANT, thumbnail.hash()).block(PATIENCE)).hasContent("its thumbnail");
        assertThat(files.find(TENANT, new MediaId("f")).block(PATIENCE)).isEqualTo(file);
        assertThat(files.find(TENANT, new MediaId("ended")).block(PATIENCE)).isNull();
        assertThat(files.find(TENANT, new MediaId("later")).block(PATIENCE)).isNotNull();
    }
}
