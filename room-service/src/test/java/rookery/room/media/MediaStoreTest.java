package rookery.room.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;

/** What crashes leave in the folder, and what must stay there (decision 0016). */
class FolderMediaStoreTest {
    private static final TenantId TENANT = new TenantId(7);
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant SINCE = Instant.parse("2021-01-01T00:00:00Z");

    @TempDir
    private Path folder = Path.of("");

    private final BlockingCalls files = new BlockingCalls(Schedulers.newBoundedElastic(2, 100, "test-files"));
    private FolderMediaStore store;

    @BeforeEach
    void open() throws IOException {
        store = new FolderMediaStore(folder, Duration.ofSeconds(10), files);
    }

    @AfterEach
    void close() {
        files.close();
    }

    private ContentHash put(String text) {
        return Objects.requireNonNull(store.put(TENANT, parts(text), 100).block())
                .hash();
    }

    private static Flux<DataBuffer> parts(String text) {
        return Flux.fromStream(text.lines())
                .map(line -> DefaultDataBufferFactory.sharedInstance.wrap(line.getBytes(StandardCharsets.UTF_8)));
    }

    private Path path(ContentHash hash) {
        return Objects.requireNonNull(store.find(TENANT, hash).block());
    }

    private static void age(Path path) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(LONG_AGO));
    }

    private List<Path> incoming() throws IOException {
        try (var all = Files.list(folder.resolve("incoming"))) {
            return all.toList();
        }
    }

    @Test
    void equalContentsAreOneFileAndTheirNameIsTheirHash() throws IOException {
        var hash = put("a\nbc");
        assertThat(put("ab\nc")).isEqualTo(hash);
        assertThat(hash.hex()).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(path(hash)).hasContent("abc").isEqualTo(folder.resolve("7/ba/78/" + hash.hex()));
        assertThat(store.find(new TenantId(8), hash).block()).isNull();
        assertThat(incoming()).isEmpty();
    }

    @Test
    void whatFailsLeavesNothing() throws IOException {
        var broken = parts("a").concatWith(Flux.error(new IOException("gone")));
        assertThat(store.put(TENANT, broken, 100).onErrorComplete().block()).isNull();
        var tooLarge = store.put(TENANT, parts("a\nbc"), 2)
                .onErrorResume(ApiException.class, _ -> reactor.core.publisher.Mono.empty());
        assertThat(tooLarge.block()).isNull();
        assertThat(incoming()).isEmpty();
        assertThat(store.older(Instant.MAX).collectList().block()).isEmpty();
    }

    @Test
    void oldLeftoversGoAndYoungOnesStay() throws IOException {
        var old = Files.writeString(folder.resolve("incoming/old"), "x");
        var young = Files.writeString(folder.resolve("incoming/young"), "x");
        age(old);
        store.clean(SINCE).block();
        assertThat(incoming()).containsExactly(young);
    }

    @Test
    void onlyWhatIsOldIsOfferedAndDeleted() throws IOException {
        var old = put("old");
        var young = put("young");
        age(path(old));
        assertThat(store.older(SINCE).collectList().block()).containsExactly(Map.entry(TENANT, List.of(old)));
        store.delete(TENANT, old, SINCE).block();
        store.delete(TENANT, young, SINCE).block();
        assertThat(store.find(TENANT, old).block()).isNull();
        assertThat(path(young)).hasContent("young");
    }

    @Test
    void whatIsUploadedAgainIsYoung() throws IOException {
        var hash = put("again");
        age(path(hash));
        put("again");
        store.delete(TENANT, hash, SINCE).block();
        assertThat(path(hash)).hasContent("again");
    }

    @Test
    void whatWasMovedAsideByWhoDiedComesBack() throws IOException {
        var hash = put("aside");
        var aside = Files.move(path(hash), folder.resolve("incoming/aside-7-" + hash.hex()));
        age(aside);
        store.clean(SINCE).block();
        assertThat(path(hash)).hasContent("aside");
    }
}
