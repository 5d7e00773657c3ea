// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.person.ArchiveIndex.Entry;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.platform.http.ServiceName;
import rookery.platform.person.PersonRows.Page;
import rookery.platform.person.PersonRows.PageRequest;
import rookery.platform.person.PersonRows.Source;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One export: asks all services for all kinds of data, one page after the other, and writes the ZIP. The memory has one page and
 * the names of the entries.
 */
final class PersonArchive {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<ServiceName> SERVICES = List.of(
            ServiceName.AUTH,
            ServiceName.ROOM,
            ServiceName.DIRECTORY,
            ServiceName.SYNC,
            ServiceName.PUSH,
            ServiceName.ADMIN);

    private static final String ROOMS = "rooms";
    private static final String FILES = "files";
    private static final String MESSAGES = "messages";
    private static final int PIECE_BYTES = 16 << 10;
    private static final long PART_BYTES = 1 << 20;

    private final PersonClient services;
    private final TenantUser person;
    private final ZipStream zip;
    private final ArchiveIndex index;
    private int rooms;
    private int files;

    PersonArchive(PersonClient services, TenantUser person, String exportedBy, Instant now) {
        this.services = services;
        this.person = person;
        this.zip = new ZipStream(now);
        this.index = new ArchiveIndex(person.user(), exportedBy, now);
    }

    /** The bytes of the ZIP; once. */
    Flux<byte[]> bytes() {
        return Flux.concat(
                        Flux.fromIterable(SERVICES).concatMap(this::ofService, 1),
                        lines(ServiceName.ROOM, request(FILES, null)).concatMap(this::file, 1),
                        lines(ServiceName.ROOM, request(ROOMS, null)).concatMap(this::room, 1),
                        entry(
                                "index.html",
                                Flux.defer(() -> Flux.fromIterable(index.html()))
                                        .map(part -> zip.write(utf8(part)))),
                        piece(zip::end))
                .concatMapIterable(PersonArchive::pieces, 1);
    }

    private static List<byte[]> pieces(byte[] bytes) {
        return LongStream.iterate(0, from -> from < bytes.length, from -> from + PIECE_BYTES)
                .mapToObj(
                        from -> Arrays.copyOfRange(bytes, (int) from, (int) Math.min(bytes.length, from + PIECE_BYTES)))
                .toList();
    }

    private PageRequest request(String source, @Nullable RoomId room) {
        return new PageRequest(person.tenant(), person.user(), source, room, null);
    }

    private Flux<String> lines(ServiceName service, PageRequest request) {
        return services.pages(service, request).concatMapIterable(Page::lines, 1);
    }

    private Flux<byte[]> ofService(ServiceName service) {
        return services.sources(service)
                .flatMapIterable(Function.identity())
                .filter(source -> !source.ofRoom())
                .concatMap(source -> ofSource(service, source), 1);
    }

    private Flux<byte[]> ofSource(ServiceName service, Source source) {
        return ndjson("data/" + source.name() + ".ndjson", source.title(), service, request(source.name(), null));
    }

    /** An entry with the lines of a source, whose number goes into the index. */
    private Flux<byte[]> ndjson(String name, String title, ServiceName service, PageRequest request) {
        var count = new AtomicLong();
        return entry(name, services.pages(service, request).map(page -> {
                    count.addAndGet(page.lines().size());
                    return written(page, line -> line + "\n");
                }))
                .concatWith(Mono.fromRunnable(() -> index.add(new Entry(name, title, count.get()))));
    }

    private byte[] written(Page page, Function<String, String> text) {
        return page.lines().isEmpty()
                ? zip.pulse()
                : zip.write(utf8(page.lines().stream().map(text).collect(Collectors.joining())));
    }

    private Flux<byte[]> entry(String name, Flux<byte[]> content) {
        return Flux.concat(piece(() -> zip.begin(name)), content, piece(zip::finish));
    }

    private static Mono<byte[]> piece(Supplier<byte[]> piece) {
        return Mono.fromSupplier(piece);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Flux<byte[]> room(String line) {
        var row = JSON.readTree(line);
        var id = row.path("room_id").asString();
        var name = row.path("name_event").path("content").path("name").asString(id);
        var folder = "rooms/" + EntryNames.numbered(++rooms, name) + "/" + MESSAGES;
        var request = request(MESSAGES, new RoomId(id));
        var page = entry(
                folder + ".html",
                Flux.concat(
                        piece(() -> zip.write(utf8(MessagePage.begin(name, id)))),
                        services.pages(ServiceName.ROOM, request).map(each -> written(each, MessagePage::row)),
                        piece(() -> zip.write(utf8(MessagePage.END)))));
        return Flux.concat(
                ndjson(folder + ".ndjson", "Messages in " + name, ServiceName.ROOM, request),
                page,
                Mono.fromRunnable(
                        () -> index.add(new Entry(folder + ".html", "Messages in " + name + ", to read", 0))));
    }

    /** Quarantined files stay hidden, and the index says so. A file may be deleted during the export. */
    private Flux<byte[]> file(String line) {
        var row = JSON.readTree(line);
        if (row.path("quarantined").asBoolean() || row.path("retracted").asBoolean()) {
            return Flux.empty();
        }
        long size = row.path("size").asLong();
        return part(row, 0, size)
                .map(first -> withContent(row, size, first))
                .onErrorResume(
                        failure -> failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND,
                        _ -> Mono.empty())
                .flatMapMany(Function.identity());
    }

    private Flux<byte[]> withContent(JsonNode row, long size, byte[] first) {
        var title = row.path("name").asString("");
        var name = "media/"
                + EntryNames.numbered(++files, title.isEmpty() ? row.path("id").asString() : title);
        var rest = Flux.fromStream(() -> LongStream.iterate(PART_BYTES, from -> from < size, from -> from + PART_BYTES)
                        .boxed())
                .concatMap(from -> part(row, from, size), 1);
        return entry(name, Flux.concat(Mono.just(first), rest).map(zip::write))
                .concatWith(Mono.fromRunnable(() -> index.add(new Entry(name, title, 0))));
    }

    private Mono<byte[]> part(JsonNode row, long from, long size) {
        return size == 0
                ? Mono.just(new byte[0])
                : services.part(
                        person.tenant(), row.path("sha256").asString(), from, Math.min(PART_BYTES, size - from));
    }
}
